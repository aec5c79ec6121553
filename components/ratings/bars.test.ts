import { describe, expect, it } from 'vitest'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { toCreatedBars, toPredictionBars, toShares } from './bars.ts'

const toLabel = (from: unknown, to: unknown) => `${from}-${to}`
const created = [
  { from: 0, to: 10, count: 3 },
  { from: 10, to: 20, count: 1 },
]
const prediction = [
  { from: '-5', to: '0', count: 3 },
  { from: '0', to: '5', count: 1 },
]

describe('bars that filter', () => {
  it('the rating of the very last second is in the last bar, so a click on it keeps it', () => {
    const last = toCreatedBars(created, EVERY_RATING, toLabel).at(-1)
    expect(last?.pick(EVERY_RATING)).toMatchObject({ from: 10, to: 21 })
  })

  it('long bars begin and end with days, and no second is between two of them or in both', () => {
    const bins = [1_388_586_896, 1_393_669_933, 1_398_752_970].map((from) => {
      return { from, to: from + 5_083_037, count: 1 }
    })
    const spans = toCreatedBars(bins, EVERY_RATING, toLabel).map(({ pick }) => pick(EVERY_RATING))
    expect(
      spans.every(({ from, to }) => (from ?? 1) % 86_400 === 0 && (to ?? 1) % 86_400 === 0),
    ).toBe(true)
    expect(spans.slice(1).map(({ from }) => from)).toEqual(spans.slice(0, -1).map(({ to }) => to))
    expect(spans[0]?.from).toBeLessThanOrEqual(1_388_586_896)
    expect(spans.at(-1)?.to).toBeGreaterThan(1_398_752_970 + 5_083_037)
  })

  it('a prediction on the edge of two bars belongs to one of them only', () => {
    const [first, last] = toPredictionBars(prediction, EVERY_RATING, toLabel)
    expect(first?.pick(EVERY_RATING)).toMatchObject({
      prediction_min: '-5',
      prediction_max: '-0.01',
    })
    expect(last?.pick(EVERY_RATING)).toMatchObject({ prediction_min: '0', prediction_max: '5' })
  })

  it('a second click takes the filter away again', () => {
    for (const bar of [
      ...toCreatedBars(created, EVERY_RATING, toLabel),
      ...toPredictionBars(prediction, EVERY_RATING, toLabel),
    ]) {
      expect(bar.pick(bar.pick(EVERY_RATING))).toEqual(EVERY_RATING)
    }
  })

  it('only the bars that the query includes stay on', () => {
    const isOn = ({ isOn }: { isOn: boolean }) => isOn
    expect(toCreatedBars(created, EVERY_RATING, toLabel).map(isOn)).toEqual([true, true])
    expect(toCreatedBars(created, { from: 10, to: null }, toLabel).map(isOn)).toEqual([false, true])
    const below = { ...EVERY_RATING, prediction_max: '-0.01' }
    expect(toPredictionBars(prediction, below, toLabel).map(isOn)).toEqual([true, false])
  })

  it('a bar with one row can be seen beside one with many, and an empty one cannot', () => {
    expect(toShares([100_000, 1, 0])).toEqual([1, 0.03, 0])
    expect(toShares([0, 0])).toEqual([0, 0])
    expect(toShares([])).toEqual([])
  })
})
