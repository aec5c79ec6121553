import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { toPredictionBars } from './prediction-bars.ts'
import { toPredictionShares } from './prediction-place.ts'
import { toPredictionScale, toPredictionStops } from './prediction-scale.ts'
import { toDecimalText, toMicros } from './prediction-span.ts'

const toText = (least: string, most: string) => `${least}..${most}`
const bins = [
  { from: '-50', to: '-5', count: 2 },
  { from: '-5', to: '0', count: 3 },
  { from: '0', to: '5', count: 1 },
  { from: '5', to: '1000', count: 1 },
]
const bars = (asked: Partial<typeof EVERY_RATING> = {}) =>
  toPredictionBars(bins, { ...EVERY_RATING, ...asked }, toText)

describe('bars of predictions', () => {
  it('a prediction on the edge of two bars belongs to one of them only', () => {
    const picked = bars().bars.map(({ pick }) => pick(EVERY_RATING))
    expect(picked[1]).toMatchObject({ prediction_min: '-5', prediction_max: '-0.01' })
    expect(picked[2]).toMatchObject({ prediction_min: '0', prediction_max: '4.99' })
  })

  it('a second click takes the filter away again', () => {
    for (const bar of bars().bars) expect(bar.pick(bar.pick(EVERY_RATING))).toEqual(EVERY_RATING)
  })

  it('a drag to either end is without a bound there, however far out a prediction lies', () => {
    const { pickSpan } = bars()
    expect(pickSpan(EVERY_RATING, 1, 3)).toMatchObject({
      prediction_min: '-5',
      prediction_max: null,
    })
    expect(pickSpan(EVERY_RATING, 0, 3)).toEqual(EVERY_RATING)
  })

  it('take the place of single predictions and of bounds that do not count themselves', () => {
    const query = { ...EVERY_RATING, prediction: only('7'), prediction_above: '6' }
    expect(bars(query).bars[1]?.pick(query)).toMatchObject({
      prediction: { only: [], not: [] },
      prediction_above: null,
    })
  })

  it('that hold none of the single predictions asked for fade', () => {
    const isOn = bars({ prediction: only('0', '1000') }).bars.map((bar) => bar.isOn)
    expect(isOn).toEqual([false, false, true, true])
  })
})

describe('the slider', () => {
  const stops = toPredictionStops(toPredictionScale(bins))

  it('is as long as bars of equal width are, so that an outlier takes no room', () => {
    expect(toPredictionScale(bins)).toEqual({ low: -10_000_000n, high: 10_000_000n })
    expect(toPredictionShares(bins, { ...EVERY_RATING, prediction_min: '0' })).toEqual({
      begin: 0.5,
      end: 1,
    })
  })

  it('stands at round predictions, and bounds nothing at either end', () => {
    expect(stops.slice(0, 3).map(({ bound }) => bound)).toEqual([null, '-9.90', '-9.80'])
    expect(stops.at(-1)).toEqual({ share: 1, bound: null })
    expect(stops.some(({ bound }) => bound === '0')).toBe(true)
  })

  it('shows a bound that lies outside of it at its end', () => {
    const asked = { ...EVERY_RATING, prediction_min: '-40', prediction_max: '999' }
    expect(toPredictionShares(bins, asked)).toEqual({ begin: 0, end: 1 })
  })

  it('of predictions that are all the same has its two ends only', () => {
    const scale = toPredictionScale([{ from: '5', to: '5', count: 1 }])
    expect(toPredictionStops(scale).map(({ bound }) => bound)).toEqual([null, null])
    expect(toPredictionStops(toPredictionScale([])).length).toBe(2)
  })

  it('has exact steps in ascending order, few enough to be hit, whatever the predictions', () => {
    const edge = fc.bigInt({ min: -1_000_000_000_000_000_000n, max: 1_000_000_000_000_000_000n })
    fc.assert(
      fc.property(edge, edge, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        const inner = toPredictionStops({ low, high })
        const shares = inner.map(({ share }) => share)
        expect(shares).toEqual([...shares].sort((x, y) => x - y))
        expect(inner.length).toBeLessThanOrEqual(203)
        for (const { bound } of inner) {
          if (bound !== null) expect(toDecimalText(toMicros(bound))).toBe(bound)
        }
      }),
    )
  })
})

describe('which bars the bounds leave', () => {
  const isOn = (asked: Partial<typeof EVERY_RATING>) => bars(asked).bars.map((bar) => bar.isOn)

  it('is told exactly, on either side of a bound that counts and of one that does not', () => {
    expect(isOn({ prediction_max: '-0.01' })).toEqual([true, true, false, false])
    expect(isOn({ prediction_min: '4.99' })).toEqual([false, false, true, true])
    expect(isOn({ prediction_above: '4.99' })).toEqual([false, false, false, true])
    expect(isOn({ prediction_below: '-5' })).toEqual([true, false, false, false])
  })
})
