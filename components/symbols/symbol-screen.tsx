'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { LatestRatings } from '#components/profile/latest-ratings.tsx'
import { Panel } from '#components/profile/panel.tsx'
import { ZoneControl } from '#components/time/zone-control.tsx'
import { useZonedHref } from '#components/time/zoned-link.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { symbolOptions } from '#lib/client/query-options.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { ActiveSet } from './active-set.tsx'
import { SeriesFigure } from './series-figure.tsx'
import { ratingsOfSymbol, toSymbolRatingsHref } from './symbol-address.ts'
import { SymbolHeader } from './symbol-header.tsx'
import { SymbolSkeleton } from './symbol-skeleton.tsx'

const BY_USER = {
  label: 'User',
  href: (row: RatingRow) => `/users/${row.user_id}`,
  text: (row: RatingRow) => `#${row.user_id}`,
}

/** One symbol: what the community thinks of it now, how that came, and who spoke last. */
export function SymbolScreen({ symbol }: { symbol: string }) {
  const { data, error, refetch } = useQuery(symbolOptions(symbol))
  const zoned = useZonedHref()
  if (data === undefined) {
    if (error === null) return <SymbolSkeleton />
    return (
      <>
        <h1 className="text-2xl">{symbol}</h1>
        <FailureNotice error={error} onRetry={() => void refetch()} what={`The symbol ${symbol}`} />
      </>
    )
  }
  return (
    <>
      <SymbolHeader answer={data} />
      <div className="grid rounded-lg border bg-surface xl:grid-cols-[minmax(0,1fr)_19rem]">
        <SeriesFigure asOf={data.meta.as_of} symbol={symbol} />
        <aside aria-label="Active ratings now" className="border-t p-4 xl:border-t-0 xl:border-l">
          <ActiveSet aggregate={data.data} />
        </aside>
      </div>
      <Panel
        action={
          <ButtonLink className="max-w-full" href={zoned(toSymbolRatingsHref(symbol))}>
            <span className="truncate">All ratings of {symbol}</span>
          </ButtonLink>
        }
        title="Latest ratings"
      >
        <LatestRatings
          query={ratingsOfSymbol(symbol)}
          subject={BY_USER}
          title={`Latest ratings of ${symbol}`}
        />
        <ZoneControl className="self-end" />
      </Panel>
    </>
  )
}
