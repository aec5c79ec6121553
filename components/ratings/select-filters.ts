import { formatPrediction } from '#components/format/prediction.ts'
import { actionLabel, ratingLabel } from '#lib/contract/rating-codes.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { toReadableInstant, toSpanText } from './posted-span.ts'
import { withFilter } from './query-change.ts'

/** One filter that holds: `text` in words, `values` where it is a list, `drop` takes it away. */
export type Filter = {
  name: 'symbol' | 'user' | 'rating' | 'action' | 'created' | 'prediction' | 'state' | 'as of'
  values: string[]
  drop: (query: RatingsQuery) => RatingsQuery
}

/** The filters that hold, in the order of the page. */
export function selectFilters(query: RatingsQuery): Filter[] {
  const drops = (filters: Parameters<typeof withFilter>[1]) => (from: RatingsQuery) =>
    withFilter(from, filters)
  const only = (text: string | null) => (text === null ? [] : [text])
  const ascending = (codes: readonly number[]) => [...codes].sort((a, b) => a - b)
  const all: Filter[] = [
    { name: 'symbol', values: query.symbol, drop: drops({ symbol: [] }) },
    { name: 'user', values: query.user.map((id) => `#${id}`), drop: drops({ user: [] }) },
    {
      name: 'rating',
      values: ascending(query.rating).map(ratingLabel),
      drop: drops({ rating: [] }),
    },
    {
      name: 'action',
      values: ascending(query.action).map(actionLabel),
      drop: drops({ action: [] }),
    },
    { name: 'created', values: only(toSpanText(query)), drop: drops({ from: null, to: null }) },
    {
      name: 'prediction',
      values: only(toPredictionSpanText(query)),
      drop: drops({ prediction_min: null, prediction_max: null }),
    },
    { name: 'state', values: only(query.state), drop: drops({ state: null }) },
    {
      name: 'as of',
      values: only(query.asof === null ? null : toReadableInstant(query.asof)),
      drop: drops({ asof: null }),
    },
  ]
  return all.filter(({ values }) => values.length > 0)
}

/** The bounds of the prediction as people say them, or null where there are none. */
function toPredictionSpanText({
  prediction_min: low,
  prediction_max: high,
}: Pick<RatingsQuery, 'prediction_min' | 'prediction_max'>): string | null {
  if (low === null && high === null) return null
  if (low === null) return `up to ${formatPrediction(high ?? '')}`
  const from = formatPrediction(low)
  if (high === null) return `${from} or more`
  return low === high ? from : `${from} to ${formatPrediction(high)}`
}
