'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { toChartHeight } from '#components/compare/compare-sizes.ts'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { useNow } from '#components/ui/use-now.ts'
import { opinionOptions } from '#lib/client/query-options.ts'
import { CompareControl } from './compare-control.tsx'
import { OpinionAside } from './opinion-aside.tsx'
import { RangeRatings } from './range-ratings.tsx'
import { SaveSeries } from './save-series.tsx'
import type { SeriesView } from './series-address.ts'
import type { ChangeView } from './series-controls.tsx'
import { SeriesFigure } from './series-figure.tsx'
import { toSymbolRatingsHref } from './symbol-address.ts'
import { SymbolHeader } from './symbol-header.tsx'
import { SymbolSkeleton } from './symbol-skeleton.tsx'
import { NobodyActive } from './symbol-states.tsx'
import { SymbolStats } from './symbol-stats.tsx'
import { selectAhead } from './to-time-points.ts'

// Most readers look at one symbol.
const ComparePanel = dynamic(
  () => import('#components/compare/compare-panel.tsx').then((module) => module.ComparePanel),
  { loading: () => <Skeleton className="rounded-lg" height={toChartHeight('overlay', 1)} /> },
)

type SymbolOpinionProps = {
  symbol: string
  view: SeriesView
  change: ChangeView
  /** Said of the address, above everything. */
  notice: ReactNode
  /** The symbol's first rating, and now by the archive's clock: seconds since 1970. */
  first: number
  now: number
}

/** A symbol that somebody had rated by the instant that the page stands at. */
export function SymbolOpinion(props: SymbolOpinionProps) {
  const { symbol, view, change, notice, first } = props
  const { data, error, refetch, isPlaceholderData } = useQuery(opinionOptions(symbol, view.asof))
  const now = useNow(props.now)
  const isToCome = view.asof !== null && view.asof > now
  const end = isToCome || view.asof === null ? props.now : view.asof
  // The dashed line begins where the chart ends: for an instant to come, now.
  const ahead = useQuery(opinionOptions(symbol, isToCome ? null : view.asof)).data
  if (data === undefined) {
    if (error === null) return <SymbolSkeleton />
    return (
      <>
        <h1 className="text-2xl wrap-anywhere">{symbol}</h1>
        {notice}
        <FailureNotice error={error} onRetry={() => void refetch()} what={`The symbol ${symbol}`} />
      </>
    )
  }
  const opinion = data.data
  const pending = selectAhead(ahead?.data.pending ?? [], view, end)
  const isNobody = opinion.active === 0
  return (
    <>
      <SymbolHeader
        actions={<CompareControl onCompare={(vs) => change({ vs })} symbol={symbol} vs={view.vs} />}
        opinion={opinion}
        ratingsHref={toSymbolRatingsHref(symbol, view)}
        symbol={opinion.symbol}
      />
      {notice}
      <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : undefined}>
        <SymbolStats
          isRewound={view.asof !== null}
          isToCome={isToCome}
          minimum={view.minimum}
          now={view.asof === null || isToCome ? now : end}
          opinion={opinion}
        />
      </div>
      {view.vs.length > 0 && (
        <ComparePanel
          minimum={view.minimum}
          onChange={change}
          query={view}
          style={view}
          symbol={symbol}
          vs={view.vs}
        />
      )}
      {isNobody && <NobodyActive asof={view.asof} isToCome={isToCome} opinion={opinion} />}
      <div className="grid rounded-lg border bg-surface xl:grid-cols-[minmax(0,1fr)_19rem]">
        <SeriesFigure
          change={change}
          extent={{ from: first, to: end }}
          pending={pending}
          save={<SaveSeries showsAhead={pending.length > 0} symbol={symbol} view={view} />}
          symbol={symbol}
          view={view}
        />
        <aside
          aria-busy={isPlaceholderData}
          aria-label="Opinion"
          className={classNames(
            'border-t p-4 xl:border-t-0 xl:border-l',
            isPlaceholderData && 'opacity-60',
          )}
        >
          <OpinionAside
            asof={view.asof}
            at={data.meta.as_of}
            isToCome={isToCome}
            opinion={opinion}
          />
        </aside>
      </div>
      <RangeRatings symbol={symbol} view={view} />
    </>
  )
}
