import { withFilter } from '#components/ratings/query-change.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { ANY, isAny, only } from '#lib/contract/value-list.ts'
import { toCellWords } from './cell-values.ts'
import { isOnly, withExcluded } from './exclude.ts'
import { ANY_OF, type AskedActions, type FilterAction } from './filter-action.ts'

const NO_BOUNDS = {
  prediction_min: null,
  prediction_max: null,
  prediction_above: null,
  prediction_below: null,
}

/** A decimal text as it is compared: `+012.50` and `12.5` are one. */
function toPlain(text: string): string {
  const [, sign = '', whole = '0', fraction = ''] =
    /^([+-]?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text) ?? []
  const digits = fraction === '' ? whole : `${whole}.${fraction}`
  return sign === '-' && digits !== '0' ? `-${digits}` : digits
}

const isSame = (a: string, b: string) => toPlain(a) === toPlain(b)

const hasBounds = (view: RatingsView) =>
  view.prediction_min !== null ||
  view.prediction_max !== null ||
  view.prediction_above !== null ||
  view.prediction_below !== null

/** Exactly this prediction, all but it, or all from it on. A bound that would leave nothing gives way. */
export function predictionActions({ row, view, reading }: AskedActions): FilterAction[] {
  const value = row.prediction
  const words = toCellWords(row, 'prediction', reading)
  const bounded = hasBounds(view)
  const actions: FilterAction[] = [
    {
      label: `Not ${words}`,
      to: (last) =>
        withFilter(last, { prediction: withExcluded(last.prediction, value, { isSame }) }),
    },
    { label: `${words} or more`, to: (last) => withFilter(last, toAtLeast(last, value)) },
    { label: `${words} or less`, to: (last) => withFilter(last, toAtMost(last, value)) },
  ]
  if (bounded || !isOnly(view.prediction, value, isSame)) {
    actions.unshift({
      label: `Only ${words}`,
      to: (last) => withFilter(last, { ...NO_BOUNDS, prediction: only(value) }),
    })
  }
  if (bounded || !isAny(view.prediction)) {
    actions.push({
      label: ANY_OF.prediction,
      to: (last) => withFilter(last, { ...NO_BOUNDS, prediction: ANY }),
    })
  }
  return actions
}

// Two digits behind the point decide nothing here: only which bound gives way.
const isBelow = (bound: string | null, value: string) =>
  bound !== null && Number(bound) <= Number(value)
const isAbove = (bound: string | null, value: string) =>
  bound !== null && Number(bound) >= Number(value)

const toAtLeast = (view: RatingsView, value: string) => ({
  prediction_min: value,
  prediction_above: null,
  prediction_max:
    isBelow(view.prediction_max, value) && !isSame(view.prediction_max ?? '', value)
      ? null
      : view.prediction_max,
  prediction_below: isBelow(view.prediction_below, value) ? null : view.prediction_below,
})

const toAtMost = (view: RatingsView, value: string) => ({
  prediction_max: value,
  prediction_below: null,
  prediction_min:
    isAbove(view.prediction_min, value) && !isSame(view.prediction_min ?? '', value)
      ? null
      : view.prediction_min,
  prediction_above: isAbove(view.prediction_above, value) ? null : view.prediction_above,
})
