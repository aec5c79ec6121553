'use client'

import { useQuery } from '@tanstack/react-query'
import { IgnoredNotice } from '#components/address/ignored-notice.tsx'
import { useTimedTitle } from '#components/address/outlook.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { symbolOptions } from '#lib/client/query-options.ts'
import { toSymbolRatingsHref } from './symbol-address.ts'
import { SymbolHeader } from './symbol-header.tsx'
import { SymbolOpinion } from './symbol-opinion.tsx'
import { SymbolSkeleton } from './symbol-skeleton.tsx'
import { NotYetRated } from './symbol-states.tsx'
import { useSeriesView } from './use-series-view.ts'

/** One symbol: what the community thinks of it, how that came, and who spoke last; now or at any other instant. */
export function SymbolScreen({ symbol }: { symbol: string }) {
  const { data, error, refetch } = useQuery(symbolOptions(symbol))
  useTimedTitle(symbol.toUpperCase())
  const { view, change, given, ignored, canonicalHref } = useSeriesView(symbol)
  const notice = <IgnoredNotice href={canonicalHref} ignored={ignored} params={given} />
  if (data === undefined) {
    if (error === null) return <SymbolSkeleton />
    return (
      <>
        <h1 className="text-2xl wrap-anywhere">{symbol}</h1>
        <FailureNotice error={error} onRetry={() => void refetch()} what={`The symbol ${symbol}`} />
      </>
    )
  }
  const { first_created_at: first, as_of: now } = data.meta
  if (view.asof !== null && view.asof < first) {
    return (
      <>
        <SymbolHeader
          opinion={null}
          ratingsHref={toSymbolRatingsHref(symbol)}
          symbol={data.data.symbol}
        />
        {notice}
        <NotYetRated asof={view.asof} first={first} symbol={data.data.symbol} />
      </>
    )
  }
  return (
    <SymbolOpinion
      change={change}
      first={first}
      notice={notice}
      now={now}
      symbol={symbol}
      view={view}
    />
  )
}
