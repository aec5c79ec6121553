'use client'

import { useQuery } from '@tanstack/react-query'
import { COMPARE_HEIGHT, PANES_HEIGHT } from '#components/charts/chart-sizes.ts'
import { EMBED_LIVE_MS, EmbedFrame, EmbedRule, EmbedText } from '#components/embed/embed-frame.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatUtc } from '#components/format/instants.ts'
import { formatConsensus, formatCount } from '#components/format/numbers.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { opinionOptions, seriesOptions } from '#lib/client/symbol-options.ts'
import type { Opinion, SeriesAnswer } from '#lib/contract/answers/opinion.ts'
import { seriesQuery } from '#lib/contract/api-queries.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { toSymbolHref } from '#lib/contract/page-addresses.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import {
  CompareArea,
  type Compared,
  CompareKey,
  toCompareRule,
  useCompared,
} from './compare/compare-area.tsx'
import { toCompareSummary } from './compare/comparison.ts'
import { createBucketWords, toJudged } from './series/buckets.ts'
import { SeriesChart, SeriesKey, toRuleText } from './series/series-chart.tsx'
import { isNothing } from './series/series-controls.tsx'
import { selectAhead } from './series/series-points.ts'
import { toSeriesSummary } from './series/series-texts.ts'
import { type SeriesView, toSymbolPageParams } from './series-view.ts'

type EmbeddedSymbolProps = {
  symbol: string
  view: SeriesView
  ignored: readonly Issue[]
  /** Seconds since 1970. */
  first: number
}

export function EmbeddedSymbol({ symbol, view, ignored, first }: EmbeddedSymbolProps) {
  const asked = { refetchInterval: EMBED_LIVE_MS }
  const series = useQuery({ ...seriesOptions(symbol, toParams(seriesQuery, view)), ...asked })
  const opinion = useQuery({ ...opinionOptions(symbol, null), ...asked }).data
  return (
    <EmbedFrame
      href={toPageHref(symbol, view)}
      ignored={ignored}
      title={toVisibleText(symbol)}
      figures={
        opinion && (
          <>
            Consensus <b>{formatConsensus(opinion.data.consensus)}</b> of 5, n ={' '}
            {formatCount(opinion.data.active)}, as of {formatUtc(opinion.meta.as_of)}
          </>
        )
      }
    >
      {series.data === undefined ? (
        <NoSeries error={series.error} onRetry={() => void series.refetch()} symbol={symbol} />
      ) : (
        <EmbeddedFigure
          answer={series.data}
          first={first}
          pending={selectAhead(opinion?.data.pending ?? [], view, series.data.meta.as_of)}
          view={view}
        />
      )}
    </EmbedFrame>
  )
}

const toPageHref = (symbol: string, view: SeriesView) =>
  toSymbolHref(symbol, toSymbolPageParams({ ...view, isWhole: true }))

type NoSeriesProps = { symbol: string; error: unknown; onRetry: () => void }

function NoSeries({ symbol, error, onRetry }: NoSeriesProps) {
  if (error === null) return <Skeleton className="rounded-lg" height={PANES_HEIGHT} />
  return (
    <FailureNotice error={error} onRetry={onRetry} what={`The chart of ${toVisibleText(symbol)}`} />
  )
}

type EmbeddedFigureProps = Pick<EmbeddedSymbolProps, 'view' | 'first'> & {
  answer: SeriesAnswer
  pending: Opinion['pending']
}

function EmbeddedFigure({ answer: { data, meta }, view, first, pending }: EmbeddedFigureProps) {
  const name = `Rating and prediction over time, ${toVisibleText(data.symbol)}`
  const judged = toJudged(data.bucket, view, meta.as_of)
  return (
    <figure aria-label={name} className="flex min-w-0 flex-col gap-2">
      <h2 className="sr-only">{name}</h2>
      <div className="min-w-0" style={{ height: PANES_HEIGHT }}>
        {isNothing(data) ? (
          <EmbedText title="No rating was posted or active in this range">
            The first rating came at {formatUtc(first)}.
          </EmbedText>
        ) : (
          <SeriesChart
            extent={{ from: first, to: meta.as_of }}
            pending={pending}
            series={data}
            view={view}
          />
        )}
      </div>
      {!isNothing(data) && <p className="sr-only">{toSeriesSummary({ ...data, ...judged })}</p>}
      <EmbedRule rule={toRuleText(data, view, pending.length > 0)}>
        {!isNothing(data) && <SeriesKey />}
      </EmbedRule>
    </figure>
  )
}

type EmbeddedComparisonProps = {
  symbol: string
  view: SeriesView
  ignored: readonly Issue[]
}

export function EmbeddedComparison({ symbol, view, ignored }: EmbeddedComparisonProps) {
  const compared = useCompared(
    { symbol, vs: view.vs, query: view, style: view },
    { againMs: EMBED_LIVE_MS },
  )
  const { answer, shown, unknown, name } = compared
  return (
    <EmbedFrame
      figures={answer.data && <>From 1 to 5, as of {formatUtc(answer.data.meta.as_of)}</>}
      href={toPageHref(symbol, view)}
      ignored={ignored}
      title="Consensus compared"
    >
      <figure aria-label={name} className="flex min-w-0 flex-col gap-2">
        <h2 className="sr-only">{name}</h2>
        <CompareKey lines={shown} />
        {unknown.length > 0 && (
          <p className="text-sm text-rating-text-2 wrap-anywhere">
            Left out, no ratings: {unknown.map(toVisibleText).join(', ')}.
          </p>
        )}
        <Drawn compared={compared} view={view} />
      </figure>
    </EmbedFrame>
  )
}

function Drawn({ compared, view }: { compared: Compared; view: SeriesView }) {
  const { answer, shown, name } = compared
  if (answer.data === undefined) {
    if (answer.error === null) {
      return <Skeleton className="rounded-lg" height={COMPARE_HEIGHT} />
    }
    return (
      <FailureNotice
        error={answer.error}
        onRetry={() => void answer.refetch()}
        what="The comparison"
      />
    )
  }
  const { bucket } = answer.data.data
  const judged = toJudged(bucket, view, answer.data.meta.as_of)
  const { toWhen } = createBucketWords(judged)
  return (
    <>
      <CompareArea height={COMPARE_HEIGHT} judged={judged} lines={shown} name={name} style={view} />
      <p className="sr-only">{toCompareSummary(shown, { bucket, toWhen })}</p>
      <EmbedRule rule={toCompareRule(bucket)} />
    </>
  )
}
