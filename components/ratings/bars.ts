import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { toBounds } from './prediction-span.ts'
import { withFilter } from './query-change.ts'

/** A bar that filters: `pick` shows its rows only, or all again if it did. `label` says what it covers. */
export type Bar = {
  key: string
  label: string
  count: number
  /** Does the query include it? With no such filter every bar is on. */
  isOn: boolean
  pick: <Q extends RatingsQuery>(query: Q) => Q
}

/** The heights of bars, as shares of the tallest; what is not empty can be seen. */
export function toShares(counts: readonly number[], least = 0.03): number[] {
  const most = Math.max(1, ...counts)
  return counts.map((count) => (count === 0 ? 0 : Math.max(count / most, least)))
}

/** Spans that people name, in seconds: a day, an hour, a minute. */
const SPOKEN = [86_400, 3600, 60]
/** A bin as long as so many of them may end where one of them does. */
const LONG = 4

/** The timeline's bars, from and to whole days where they are long enough to be about days. */
export function toCreatedBars(
  bins: Facets['created'],
  { from, to }: Pick<RatingsQuery, 'from' | 'to'>,
  label: (from: number, to: number) => string,
): Bar[] {
  const [first, last] = [bins.at(0), bins.at(-1)]
  if (!first || !last) return []
  const length = (last.to - first.from) / bins.length
  const unit = SPOKEN.find((seconds) => length >= LONG * seconds) ?? 1
  // What is rounded between two bins is in one of them; what is first and last stays in. The last bin is closed.
  const edges = [
    Math.floor(first.from / unit) * unit,
    ...bins.slice(1).map((bin) => Math.round(bin.from / unit) * unit),
    Math.ceil((last.to + 1) / unit) * unit,
  ]
  return bins.map(({ count }, index) => {
    const [begin = 0, end = 0] = edges.slice(index, index + 2)
    return {
      key: String(begin),
      label: label(begin, end),
      count,
      isOn: (from === null || end > from) && (to === null || begin < to),
      pick: (query) =>
        query.from === begin && query.to === end
          ? withFilter(query, { from: null, to: null })
          : withFilter(query, { from: begin, to: end }),
    }
  })
}

/** The predictions' bars; their bounds are both included, as the query's are. */
export function toPredictionBars(
  bins: Facets['prediction'],
  { prediction_min: low, prediction_max: high }: RatingsQuery,
  label: (least: string, most: string) => string,
): Bar[] {
  return bins.map((bin, index) => {
    const { least, most } = toBounds(bin, index === bins.length - 1)
    return {
      key: bin.from,
      label: label(least, most),
      count: bin.count,
      isOn:
        (low === null || Number(most) >= Number(low)) &&
        (high === null || Number(least) <= Number(high)),
      pick: (query) =>
        query.prediction_min === least && query.prediction_max === most
          ? withFilter(query, { prediction_min: null, prediction_max: null })
          : withFilter(query, { prediction_min: least, prediction_max: most }),
    }
  })
}
