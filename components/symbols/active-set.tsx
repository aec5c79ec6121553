import { useFormats } from '#components/format/use-formats.tsx'
import { Distribution } from '#components/profile/distribution.tsx'
import { toActionBars, toRatingBars } from '#components/profile/rating-bars.tsx'
import type { Aggregate } from '#lib/contract/answers/symbols.ts'
import { toSymbolRatingsHref } from './symbol-address.ts'

/** The active ratings of a symbol by label and by action, each bar a link to its rows. */
export function ActiveSet({ aggregate }: { aggregate: Aggregate }) {
  const { symbol, r1, r2, r3, r4, r5, a1, a2, a3, a4 } = aggregate
  const { formatCount } = useFormats()
  const total = formatCount(Number(aggregate.total))
  const href = (only: { rating?: number; action?: number }) =>
    toSymbolRatingsHref(symbol, { ...only, state: 'active' })
  return (
    <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2 xl:grid-cols-1">
      <Distribution
        bars={toRatingBars(toCoded([r1, r2, r3, r4, r5]), (rating) => href({ rating }))}
        title={`Now, ${total} active`}
      />
      <Distribution
        bars={toActionBars(toCoded([a1, a2, a3, a4]), (action) => href({ action }))}
        title="How they came about"
      />
    </div>
  )
}

/** Tallies in the order of their codes, which begin at 1. */
const toCoded = (tallies: readonly string[]) =>
  tallies.map((tally, index) => ({ value: index + 1, count: Number(tally) }))
