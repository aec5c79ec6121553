import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { toJustBelow } from './prediction-span.ts'
import { withFilter } from './query-change.ts'

/** A bar that filters: `pick` shows its rows only, or all again if it did. `label` says what it covers. */
export type Bar = {
  key: string
  label: string
  count: number
  /** Does the query include it? With no such filter every bar is on. */
  isOn: boolean
  pick: (query: RatingsQuery) => RatingsQuery
}

/** The heights of bars, as shares of the tallest; what is not empty can be seen. */
export function toShares(counts: readonly number[], least = 0.03): number[] {
  const most = Math.max(1, ...counts)
  return counts.map((count) => (count === 0 ? 0 : Math.max(count / most, least)))
}

/** The timeline's bars. The last bin is closed, the query's `to` is not: one second more. */
export function toCreatedBars(
  bins: Facets['created'],
  { from, to }: Pick<RatingsQuery, 'from' | 'to'>,
  label: (from: number, to: number) => string,
): Bar[] {
  return bins.map((bin, index) => {
    const end = index === bins.length - 1 ? bin.to + 1 : bin.to
    return {
      key: String(bin.from),
      label: label(bin.from, end),
      count: bin.count,
      isOn: (from === null || end > from) && (to === null || bin.from < to),
      pick: (query) =>
        query.from === bin.from && query.to === end
          ? withFilter(query, { from: null, to: null })
          : withFilter(query, { from: bin.from, to: end }),
    }
  })
}

/** The predictions' bars. Bins are half open but for the last one, the query's bounds are not. */
export function toPredictionBars(
  bins: Facets['prediction'],
  { prediction_min: low, prediction_max: high }: RatingsQuery,
  label: (from: string, to: string) => string,
): Bar[] {
  return bins.map((bin, index) => {
    const last = index === bins.length - 1 ? bin.to : toJustBelow(bin.to)
    return {
      key: bin.from,
      label: label(bin.from, bin.to),
      count: bin.count,
      isOn:
        (low === null || Number(last) >= Number(low)) &&
        (high === null || Number(bin.from) <= Number(high)),
      pick: (query) =>
        query.prediction_min === bin.from && query.prediction_max === last
          ? withFilter(query, { prediction_min: null, prediction_max: null })
          : withFilter(query, { prediction_min: bin.from, prediction_max: last }),
    }
  })
}
