'use client'

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { toChartHeight } from '#components/compare/compare-sizes.ts'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { useNow } from '#components/ui/use-now.ts'
import { opinionOptions } from '#lib/client/query-options.ts'
import type { OpinionAnswer } from '#lib/contract/answers/opinion.ts'
import { CompareControl } from './compare-control.tsx'
import { toCompareEmbed } from './embed-address.ts'
import { LatestChanges } from './latest-changes.tsx'
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

/** A symbol that somebody had rated by the instant that the page stands at. What cannot be loaded takes nothing else with it. */
export function SymbolOpinion(props: SymbolOpinionProps) {
  const { symbol, view, change, notice, first } = props
  const answer = useQuery(opinionOptions(symbol, view.asof))
  const now = useNow(props.now)
  const isToCome = view.asof !== null && view.asof > now
  const end = isToCome || view.asof === null ? props.now : view.asof
  // The dashed line begins where the chart ends: for an instant to come, now.
  const ahead = useQuery(opinionOptions(symbol, isToCome ? null : view.asof)).data
  if (answer.isPending) return <SymbolSkeleton />
  const opinion = answer.data?.data ?? null
  const pending = selectAhead(ahead?.data.pending ?? [], view, end)
  return (
    <>
      <SymbolHeader
        actions={<CompareControl onCompare={(vs) => change({ vs })} symbol={symbol} vs={view.vs} />}
        opinion={opinion}
        ratingsHref={toSymbolRatingsHref(symbol, { asof: view.asof })}
        symbol={opinion?.symbol ?? symbol}
      />
      {notice}
      <Headline
        answer={answer}
        end={end}
        isToCome={isToCome}
        now={now}
        symbol={symbol}
        view={view}
      />
      {view.vs.length > 0 && (
        <ComparePanel
          embed={toCompareEmbed(symbol, view)}
          minimum={view.minimum}
          onChange={change}
          query={view}
          style={view}
          symbol={symbol}
          vs={view.vs}
        />
      )}
      {opinion?.active === 0 && (
        <NobodyActive asof={view.asof} isToCome={isToCome} opinion={opinion} />
      )}
      <div className="grid rounded-lg border bg-surface xl:grid-cols-[minmax(0,1fr)_19rem]">
        <SeriesFigure
          change={change}
          extent={{ from: first, to: end }}
          pending={pending}
          save={<SaveSeries showsAhead={pending.length > 0} symbol={symbol} view={view} />}
          symbol={symbol}
          view={view}
        />
        <Aside answer={answer} isToCome={isToCome} symbol={symbol} view={view} />
      </div>
      <RangeRatings symbol={symbol} view={view} />
    </>
  )
}

type Judged = {
  answer: UseQueryResult<OpinionAnswer>
  view: SeriesView
  /** The instant lies ahead: what is shown is what will be left if nothing is renewed. */
  isToCome: boolean
}

type HeadlineProps = Judged & { symbol: string; end: number; now: number }

/** The figures of the instant, or why they are missing; `end` and `now` in seconds since 1970. */
function Headline({ symbol, answer, view, isToCome, ...at }: HeadlineProps) {
  const { data, error, refetch, isPlaceholderData } = answer
  if (data === undefined) {
    return (
      <FailureNotice
        error={error}
        kept="The chart and the ratings below are asked for on their own."
        onRetry={() => void refetch()}
        what={`The opinion on ${symbol}`}
      />
    )
  }
  return (
    <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : undefined}>
      <SymbolStats
        isRewound={view.asof !== null}
        isToCome={isToCome}
        minimum={view.minimum}
        now={view.asof === null || isToCome ? at.now : at.end}
        opinion={data.data}
      />
    </div>
  )
}

function Aside({ symbol, answer: { data, isPlaceholderData }, view, isToCome }: AsideProps) {
  return (
    <aside
      aria-busy={isPlaceholderData}
      aria-label="Opinion"
      className={classNames(
        'border-t p-4 xl:border-t-0 xl:border-l',
        isPlaceholderData && 'opacity-60',
      )}
    >
      {data === undefined ? (
        <LatestChanges asof={view.asof} symbol={symbol} />
      ) : (
        <OpinionAside
          asof={view.asof}
          at={data.meta.as_of}
          isToCome={isToCome}
          opinion={data.data}
        />
      )}
    </aside>
  )
}

type AsideProps = Judged & { symbol: string }
