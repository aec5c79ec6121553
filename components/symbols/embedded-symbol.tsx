'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { toSymbolHref } from '#components/address/page-address.ts'
import {
  type SeriesView,
  toSeriesParams,
  toViewParams,
} from '#components/address/series-address.ts'
import { PANES_HEIGHT } from '#components/charts/chart-sizes.ts'
import { EMBED_LIVE_MS, EmbedFrame, EmbedText } from '#components/embed/embed-frame.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatUtc } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { opinionOptions, seriesOptions } from '#lib/client/query-options.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { selectAhead } from './series/series-points.ts'

// The page comes with the chart drawn; what moves it comes after the rest.
const EmbeddedSeries = dynamic(
  () => import('./embedded-series.tsx').then((module) => module.EmbeddedSeries),
  { loading: () => <Skeleton className="rounded-lg" height={PANES_HEIGHT} /> },
)

/** Several symbols side by side. A frame with one symbol loads nothing of it. */
export const EmbeddedComparison = dynamic(() =>
  import('./embedded-comparison.tsx').then((module) => module.EmbeddedComparison),
)

type EmbeddedSymbolProps = {
  symbol: string
  view: SeriesView
  /** What had to be ignored in the address. */
  ignored: readonly Issue[]
  /** The symbol's first rating, in seconds since 1970. */
  first: number
}

/** A symbol's chart alone, live or frozen. It only shows: nothing in it acts, and its links open a page of their own. */
export function EmbeddedSymbol({ symbol, view, ignored, first }: EmbeddedSymbolProps) {
  const isTooEarly = view.asof !== null && view.asof < first
  const asked = { enabled: !isTooEarly, refetchInterval: view.asof === null && EMBED_LIVE_MS }
  const series = useQuery({ ...seriesOptions(symbol, toSeriesParams(view)), ...asked })
  const opinion = useQuery({ ...opinionOptions(symbol, view.asof), ...asked })
  const { formatConsensus, formatCount } = useFormats()
  const now = opinion.data
  const end = series.data?.meta.as_of
  // The series of an instant to come ends now, and so the dashed line begins now.
  const isToCome = view.asof !== null && end !== undefined && end < view.asof
  const ahead = useQuery({ ...opinionOptions(symbol, isToCome ? null : view.asof), ...asked }).data
  return (
    <EmbedFrame
      href={toSymbolHref(symbol, toViewParams(view))}
      ignored={ignored}
      title={symbol}
      figures={
        now && (
          <>
            Consensus <b>{formatConsensus(now.data.consensus)}</b> of 1–5, n ={' '}
            {formatCount(now.data.active)}, as of {formatUtc(now.meta.as_of)}
            {isToCome ? ', if nothing is renewed' : view.asof !== null && ', frozen'}
          </>
        )
      }
    >
      {series.data === undefined ? (
        <NoSeries
          error={series.error}
          isTooEarly={isTooEarly}
          first={first}
          onRetry={() => void series.refetch()}
          symbol={symbol}
          view={view}
        />
      ) : (
        <EmbeddedSeries
          answer={series.data}
          first={first}
          pending={selectAhead(ahead?.data.pending ?? [], view, series.data.meta.as_of)}
          view={view}
        />
      )}
    </EmbedFrame>
  )
}

type NoSeriesProps = Pick<EmbeddedSymbolProps, 'symbol' | 'view' | 'first'> & {
  error: unknown
  isTooEarly: boolean
  onRetry: () => void
}

function NoSeries({ symbol, view, first, error, isTooEarly, onRetry }: NoSeriesProps) {
  if (isTooEarly) {
    return (
      <EmbedText title={`Nobody had rated ${symbol} by ${formatUtc(view.asof ?? first)}`}>
        The first rating came at {formatUtc(first)}.
      </EmbedText>
    )
  }
  if (error === null) return <Skeleton className="rounded-lg" height={PANES_HEIGHT} />
  return <FailureNotice error={error} onRetry={onRetry} what={`The chart of ${symbol}`} />
}
