import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EVERY_VIEW } from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'
import { toCreatedBars } from './created-bars.ts'

const DAY = 86_400
const at = (iso: string) => Date.parse(iso) / 1000
/** Weeks of 2024, from a midnight of UTC on. */
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
  it('a click leaves the span of one bar, and a second click takes it away again', () => {
    for (const bar of toCreatedBars(weeks(5), EVERY_VIEW).bars) {
      const picked = bar.pick(EVERY_VIEW)
      expect((picked.to ?? 0) - (picked.from ?? 0)).toBe(7 * DAY)
      expect(bar.pick(picked)).toEqual(EVERY_VIEW)
    }
  })

  it('no second is between two of them, or in both', () => {
    const spans = toCreatedBars(weeks(5), EVERY_VIEW).bars.map(({ pick }) => pick(EVERY_VIEW))
    expect(spans.slice(1).map(({ from }) => from)).toEqual(spans.slice(0, -1).map(({ to }) => to))
  })

  it('a drag to the first or the last of them is without a bound there', () => {
    const { pickSpan } = toCreatedBars(weeks(5), EVERY_VIEW)
    expect(pickSpan(EVERY_VIEW, 1, 2)).toMatchObject({
      from: at('2024-01-08'),
      to: at('2024-01-22'),
    })
    expect(pickSpan(EVERY_VIEW, 1, 4)).toMatchObject({ from: at('2024-01-08'), to: null })
    expect(pickSpan(EVERY_VIEW, 0, 4)).toEqual(EVERY_VIEW)
  })

  it('in New York begin where its days do, and still leave no rating out', () => {
    const { edges, isShifted } = toCreatedBars(weeks(3), { ...EVERY_VIEW, tz: 'America/New_York' })
    expect(edges[0]).toBe(at('2023-12-31T05:00:00Z'))
    expect(edges.slice(1, 3)).toEqual([at('2024-01-08T05:00:00Z'), at('2024-01-15T05:00:00Z')])
    expect(edges[3]).toBeGreaterThanOrEqual(at('2024-01-22'))
    expect(isShifted).toBe(true)
    expect(toCreatedBars(weeks(3), EVERY_VIEW).isShifted).toBe(false)
  })

  it('of hours and seconds stay what they were counted as', () => {
    expect(toCreatedBars(seconds, { ...EVERY_VIEW, tz: 'Asia/Tokyo' }).edges).toEqual([0, 10, 20])
  })

  it('show the span of the query where it lies, between two edges too', () => {
    const chosen = (from: number | null, to: number | null) =>
      toCreatedBars(seconds, { ...EVERY_VIEW, from, to }).chosen
    expect(chosen(null, null)).toEqual({ begin: 0, end: 1 })
    expect(chosen(5, null)).toEqual({ begin: 0.25, end: 1 })
    expect(chosen(5, 15)).toEqual({ begin: 0.25, end: 0.75 })
    expect(chosen(100, 200)).toEqual({ begin: 1, end: 1 })
    expect(chosen(null, 0)).toEqual({ begin: 0, end: 0 })
  })

  it('that the query leaves nothing of fade, whether it asks by a span or by months', () => {
    const isOn = (asked: Partial<typeof EVERY_VIEW>) =>
      toCreatedBars(weeks(9), { ...EVERY_VIEW, ...asked }).bars.map((bar) => Number(bar.isOn))
    expect(isOn({ from: at('2024-02-20') })).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1])
    expect(isOn({ created: only('2024-02') })).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1])
    expect(isOn({ created: { only: [], not: ['2024-02'] } })).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 1])
  })

  it('take the place of days that were chosen before, but not of days that were taken out', () => {
    const query = { ...EVERY_VIEW, created: { only: ['2024-02'], not: ['2024-03-01'] } }
    const picked = toCreatedBars(weeks(5), query).bars[0]?.pick(query)
    expect(picked?.created).toEqual({ only: [], not: ['2024-03-01'] })
  })

  it('every span of them is chosen where they were dragged over, in any zone', () => {
    const zones = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia')
    const spans = fc
      .tuple(fc.nat({ max: 29 }), fc.nat({ max: 29 }))
      .map((two) => two.sort((a, b) => a - b))
    fc.assert(
      fc.property(zones, spans, (tz, [first = 0, last = 0]) => {
        const view = { ...EVERY_VIEW, tz }
        const picked = toCreatedBars(weeks(30), view).pickSpan(view, first, last)
        const { chosen, bars } = toCreatedBars(weeks(30), picked)
        expect(chosen.begin).toBeCloseTo(first / 30, 6)
        expect(chosen.end).toBeCloseTo((last + 1) / 30, 6)
        expect(bars.map(({ isOn }) => isOn)).toEqual(
          bars.map((_, index) => index >= first && index <= last),
        )
      }),
      { numRuns: 50 },
    )
  })
})
