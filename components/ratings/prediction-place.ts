import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type Shares, toSharesOf } from './shares.ts'

/** What of a query says something about predictions. */
export type AskedPrediction = ReturnType<typeof toAskedPrediction>

export const toAskedPrediction = (query: RatingsQuery) => ({
  prediction: query.prediction,
  prediction_min: query.prediction_min,
  prediction_max: query.prediction_max,
  prediction_above: query.prediction_above,
  prediction_below: query.prediction_below,
})

/**
 * Where the bounds lie along the bins: for the eye only, nothing is asked by it. The outermost bins reach further out
 * than they are wide, and are drawn as wide as the others.
 */
export function toPredictionShares(bins: Facets['prediction'], asked: AskedPrediction): Shares {
  const edges = bins.map(({ from }) => Number(from))
  const [first = 0, second, third] = edges
  const most = Number(bins.at(-1)?.to ?? first)
  const isEven = second !== undefined && third !== undefined
  const width = isEven ? third - second : 0
  const bound = (text: string | null) => (text === null ? null : Number(text))
  return toSharesOf(
    [
      bound(asked.prediction_min ?? asked.prediction_above),
      bound(asked.prediction_max ?? asked.prediction_below),
    ],
    isEven ? [second - width, (edges.at(-1) ?? most) + width] : [first, most],
  )
}
