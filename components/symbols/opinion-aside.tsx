'use client'

import { formatDay } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { Contradictions } from '#components/league/profile-panels.tsx'
import { Distribution, toActionBars, toRatingBars } from '#components/marks/distribution.tsx'
import type { Counted } from '#lib/contract/answers/envelope.ts'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import { ACTION_LABELS, RATING_LABELS } from '#lib/contract/rating-codes.ts'
import { CliffTable } from './cliff-table.tsx'
import { LatestChanges } from './latest-changes.tsx'
import { toSymbolRatingsHref } from './symbol-address.ts'

type OpinionAsideProps = {
  opinion: Opinion
  /** The instant that `opinion` is judged at, in seconds since 1970. */
  at: number
  /** The instant that the address asks for; null is now. */
  asof: number | null
  isToCome: boolean
}

/** The active ratings by label, what of them lapses soon, and who changed their mind last. */
export function OpinionAside({ opinion, at, asof, isToCome }: OpinionAsideProps) {
  const { formatCount } = useFormats()
  const { symbol, active, by_rating, by_action } = opinion
  const href = (only: { rating?: number; action?: number }) =>
    toSymbolRatingsHref(symbol, { ...only, state: 'active', asof })
  const when = asof === null ? 'Now' : formatDay(asof)
  const isAny = active > 0
  // Beside one another, bars are read against one another: both are of the same ratings.
  const longest = Math.max(...[...by_rating, ...by_action].map(({ count }) => count))
  return (
    <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2 xl:grid-cols-1">
      <Distribution
        bars={toRatingBars(withEvery(RATING_LABELS, by_rating), (rating) => href({ rating }))}
        longest={longest}
        title={`${when}, ${formatCount(active)} ${isToCome ? 'still active' : 'active'}`}
      />
      {isAny && <CliffTable at={at} asof={asof} opinion={opinion} />}
      <LatestChanges asof={asof} symbol={symbol} />
      {isAny && (
        <Distribution
          bars={toActionBars(withEvery(ACTION_LABELS, by_action), (action) => href({ action }))}
          longest={longest}
          title={`How these ${formatCount(active)} came about`}
        />
      )}
      <Contradictions asof={asof} query={{ symbol }} />
    </div>
  )
}

/** The counts with those of our own codes that no rating has: a scale is read by what it lacks too. */
function withEvery(labels: Readonly<Record<number, string>>, counts: readonly Counted[]) {
  const given = new Set(counts.map(({ value }) => value))
  const missing = Object.entries(labels)
    .map(([code, label]) => ({ value: Number(code), label, count: 0 }))
    .filter(({ value }) => !given.has(value))
  return [...counts, ...missing].sort((a, b) => a.value - b.value)
}
