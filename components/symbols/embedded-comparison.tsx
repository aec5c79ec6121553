'use client'

import { toSymbolHref } from '#components/address/page-address.ts'
import { type SeriesView, toViewParams } from '#components/address/series-address.ts'
import { toChartHeight } from '#components/charts/chart-sizes.ts'
import { EMBED_LIVE_MS, EmbedFrame, EmbedRule } from '#components/embed/embed-frame.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatUtc } from '#components/format/instants.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import type { Issue } from '#lib/contract/faults.ts'
import {
  CompareArea,
  type Compared,
  CompareKey,
  toCompareRule,
  useCompared,
} from './compare/compare-area.tsx'
import { toCompareSummary } from './compare/comparison.ts'
import { createBucketWords, toJudged } from './series/buckets.ts'

type EmbeddedComparisonProps = {
  symbol: string
  /** With at least one other symbol in it. */
  view: SeriesView
  /** What had to be ignored in the address. */
  ignored: readonly Issue[]
}

/** Several symbols side by side, live or frozen. It only shows, as a symbol's chart in a frame does. */
export function EmbeddedComparison({ symbol, view, ignored }: EmbeddedComparisonProps) {
  const { vs, minimum, asof } = view
  const compared = useCompared(
    { symbol, vs, minimum, query: view, style: view },
    { againMs: asof === null ? EMBED_LIVE_MS : null },
  )
  const { answer, shown, unknown, name } = compared
  const what = view.scale === 'rating' ? 'From 1 to 5' : 'Change in rating points'
  return (
    <EmbedFrame
      figures={
        answer.data && (
          <>
            {what}, as of {formatUtc(answer.data.meta.as_of)}
            {asof !== null && asof <= answer.data.meta.as_of && ', frozen'}
          </>
        )
      }
      href={toSymbolHref(symbol, toViewParams(view))}
      ignored={ignored}
      title="Consensus compared"
    >
      <figure aria-label={name} className="flex min-w-0 flex-col gap-2">
        <CompareKey lines={shown} />
        {unknown.length > 0 && (
          <p className="text-sm text-rating-text-2 wrap-anywhere">
            Left out, because nobody {asof === null ? 'has' : 'had'} rated them:{' '}
            {unknown.join(', ')}.
          </p>
        )}
        <Drawn compared={compared} view={view} />
      </figure>
    </EmbedFrame>
  )
}

function Drawn({ compared, view }: { compared: Compared; view: SeriesView }) {
  const { answer, keys, shown, name } = compared
  const { mode, scale, minimum, asTable } = view
  if (answer.data === undefined) {
    if (answer.error === null) {
      return <Skeleton className="rounded-lg" height={toChartHeight(mode, keys.length)} />
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
  const judged = toJudged(bucket, view.asof, answer.data.meta.as_of)
  const { toWhen } = createBucketWords(judged)
  return (
    <>
      <CompareArea
        height={toChartHeight(mode, asTable ? 1 : Math.max(1, shown.length))}
        judged={judged}
        lines={shown}
        name={name}
        style={view}
      />
      <p className="sr-only">{toCompareSummary(shown, { scale, bucket, toWhen })}</p>
      <EmbedRule rule={toCompareRule({ bucket, scale, minimum })} />
    </>
  )
}
