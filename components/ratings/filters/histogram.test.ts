import { describe, expect, it } from 'vitest'
import { toSharesOf } from '#components/list/shares.ts'
import { EVERY_VIEW } from '#lib/contract/ratings-view.ts'
import { ANY, only } from '#lib/contract/value-list.ts'
import {
  isAmong,
  isInPeriods,
  toFaded,
  toPredictionBounds,
  toPredictionShares,
} from './histogram.ts'

const at = (day: string) => Date.parse(day) / 1000
const months = ['2024-01-01', '2024-02-01', '2024-03-01'].map((day, index) => ({
  from: at(day),
  to: at(`2024-0${index + 2}-01`),
}))
const bins = [
  { from: '-50', to: '-5', count: 1 },
  { from: '-5', to: '0', count: 1 },
  { from: '0', to: '5', count: 1 },
  { from: '5', to: '1000', count: 1 },
]
const faded = (bars: readonly object[]) => bars.map((bar) => 'isFaded' in bar && bar.isFaded)

describe('what is drawn of a filter before anything can be dragged', () => {
  it('bars that days, months or years leave nothing of fade', () => {
    expect(faded(toFaded(months, only('2024-02-10'), isInPeriods))).toEqual([true, false, true])
    const without = { only: [], not: ['2024-02'] }
    expect(faded(toFaded(months, without, isInPeriods))).toEqual([false, true, false])
  })

  it('bars without any of the predictions asked for fade; the last holds its upper end', () => {
    expect(faded(toFaded(bins, only('0', '1000'), isAmong))).toEqual([true, true, false, false])
  })

  it('without such a filter the bars are the very same, so that none is drawn anew', () => {
    expect(toFaded(months, ANY, isInPeriods)).toBe(months)
  })

  it('a span stands where its bounds are, and at the edge where they lie outside', () => {
    expect(toSharesOf([5, 15], [0, 20])).toEqual({ begin: 0.25, end: 0.75 })
    expect(toSharesOf([null, null], [0, 20])).toEqual({ begin: 0, end: 1 })
    expect(toSharesOf([100, 200], [0, 20])).toEqual({ begin: 1, end: 1 })
    expect(toSharesOf([null, 0], [0, 20])).toEqual({ begin: 0, end: 0 })
  })

  it('an outlier takes no more room among predictions than any other bar', () => {
    const asked = { ...toPredictionBounds(EVERY_VIEW), prediction_min: '0', prediction_max: '900' }
    expect(toPredictionShares(bins, asked)).toEqual({ begin: 0.5, end: 1 })
  })
})
