import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { EVERY_VIEW } from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'
import { draws } from '#testing/draws.ts'
import { toMerged } from './column-histogram.ts'
import {
  type Bar,
  toPostedBars,
  toPredictionBars,
  toPredictionScale,
  toPredictionStops,
  toSum,
} from './filter-bars.ts'
import { toPredictionShares } from './histogram.ts'
import { toDecimalText, toMicros } from './prediction-range.ts'

const EVERY_SPAN = { ...EVERY_VIEW, zone: 'UTC' }

describe('bars', () => {
  it('several together hold what each of them holds, code by code from Strong Sell up', () => {
    const bar = (parts: Bar['parts'] & {}): Bar => ({
      key: '',
      label: '',
      count: parts.reduce((sum, { count }) => sum + count, 0),
      parts,
      isOn: true,
      pick: (query) => query,
    })
    const buy = { code: 5, label: 'Strong Buy', count: 2 }
    const sell = { code: 1, label: 'Strong Sell', count: 1 }
    expect(toSum([bar([buy]), bar([sell, buy])])).toEqual({
      count: 5,
      parts: [sell, { ...buy, count: 4 }],
    })
  })

  it('that are too many for their place are joined with their neighbors, and no row is lost', () => {
    const bins = Array.from({ length: 7 }, (_, from) => ({ from, to: from + 1, count: from }))
    expect(toMerged(bins, 3)).toEqual([
      { from: 0, to: 3, count: 3 },
      { from: 3, to: 6, count: 12 },
      { from: 6, to: 7, count: 6 },
    ])
    expect(toMerged(bins, 7)).toEqual(bins)
  })
})

const DAY = 86_400
const at = (iso: string) => Date.parse(iso) / 1000
const weeks = (count: number, start = at('2024-01-01')) =>
  Array.from({ length: count }, (_, week) => ({
    from: start + week * 7 * DAY,
    to: start + (week + 1) * 7 * DAY,
    count: 1,
  }))
const seconds = [
  { from: 0, to: 10, count: 3 },
  { from: 10, to: 20, count: 1 },
]

describe('bars of the time of posting', () => {
  it('a click leaves the span of one bar, and a second click removes it again', () => {
    for (const bar of toPostedBars(weeks(5), EVERY_SPAN).bars) {
      const picked = bar.pick(EVERY_VIEW)
      expect((picked.to ?? 0) - (picked.from ?? 0)).toBe(7 * DAY)
      expect(bar.pick(picked)).toEqual(EVERY_VIEW)
    }
  })

  it('no second is between two of them, or in both', () => {
    const spans = toPostedBars(weeks(5), EVERY_SPAN).bars.map(({ pick }) => pick(EVERY_VIEW))
    expect(spans.slice(1).map(({ from }) => from)).toEqual(spans.slice(0, -1).map(({ to }) => to))
  })

  it('a drag to the first or the last of them is without a bound there', () => {
    const { pickSpan } = toPostedBars(weeks(5), EVERY_SPAN)
    expect(pickSpan(EVERY_VIEW, 1, 2)).toMatchObject({
      from: at('2024-01-08'),
      to: at('2024-01-22'),
    })
    expect(pickSpan(EVERY_VIEW, 1, 4)).toMatchObject({ from: at('2024-01-08'), to: null })
    expect(pickSpan(EVERY_VIEW, 0, 4)).toEqual(EVERY_VIEW)
  })

  it('in New York begin where its days do, and still leave no rating out', () => {
    const { edges, isShifted } = toPostedBars(weeks(3), { ...EVERY_SPAN, zone: 'America/New_York' })
    expect(edges[0]).toBe(at('2023-12-31T05:00:00Z'))
    expect(edges.slice(1, 3)).toEqual([at('2024-01-08T05:00:00Z'), at('2024-01-15T05:00:00Z')])
    expect(edges[3]).toBeGreaterThanOrEqual(at('2024-01-22'))
    expect(isShifted).toBe(true)
    expect(toPostedBars(weeks(3), EVERY_SPAN).isShifted).toBe(false)
  })

  it('of hours and seconds stay what they were counted as', () => {
    expect(toPostedBars(seconds, { ...EVERY_SPAN, zone: 'Asia/Tokyo' }).edges).toEqual([0, 10, 20])
  })

  it('show the span of the query where it lies, between two edges too', () => {
    const chosen = (from: number | null, to: number | null) =>
      toPostedBars(seconds, { ...EVERY_SPAN, from, to }).chosen
    expect(chosen(null, null)).toEqual({ begin: 0, end: 1 })
    expect(chosen(5, null)).toEqual({ begin: 0.25, end: 1 })
    expect(chosen(5, 15)).toEqual({ begin: 0.25, end: 0.75 })
    expect(chosen(100, 200)).toEqual({ begin: 1, end: 1 })
    expect(chosen(null, 0)).toEqual({ begin: 0, end: 0 })
  })

  it('that the query leaves nothing of fade, whether it asks by a span or by months', () => {
    const isOn = (asked: Partial<typeof EVERY_VIEW>) =>
      toPostedBars(weeks(9), { ...EVERY_SPAN, ...asked }).bars.map((bar) => Number(bar.isOn))
    expect(isOn({ from: at('2024-02-20') })).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1])
    expect(isOn({ created: only('2024-02') })).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1])
    expect(isOn({ created: { only: [], not: ['2024-02'] } })).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 1])
  })

  it('take the place of days that were chosen before, but not of days that were taken out', () => {
    const query = { ...EVERY_SPAN, created: { only: ['2024-02'], not: ['2024-03-01'] } }
    const picked = toPostedBars(weeks(5), query).bars[0]?.pick(query)
    expect(picked?.created).toEqual({ only: [], not: ['2024-03-01'] })
  })

  it('every span of them is chosen where they were dragged over, in any zone', () => {
    const zones = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia')
    const spans = fc
      .tuple(fc.nat({ max: 29 }), fc.nat({ max: 29 }))
      .map((two) => two.sort((a, b) => a - b))
    fc.assert(
      fc.property(zones, spans, (zone, [first = 0, last = 0]) => {
        const view = { ...EVERY_SPAN, zone }
        const picked = toPostedBars(weeks(30), view).pickSpan(view, first, last)
        const { chosen, bars } = toPostedBars(weeks(30), picked)
        expect(chosen.begin).toBeCloseTo(first / 30, 6)
        expect(chosen.end).toBeCloseTo((last + 1) / 30, 6)
        expect(bars.map(({ isOn }) => isOn)).toEqual(
          bars.map((_, index) => index >= first && index <= last),
        )
      }),
      { numRuns: draws(50) },
    )
  })
})

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
