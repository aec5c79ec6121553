import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RANGES, selectRange, toRangeStart } from './ranges.ts'
import { readSeriesView, type SeriesView, toViewParams } from './series-address.ts'

const at = (text: string) => Date.parse(text) / 1000

describe('the address of a symbol’s page', () => {
  test('every view reads back from its own address', () => {
    const instant = fc.option(fc.integer({ min: 0, max: 4_000_000_000 }), { nil: null })
    const view = fc
      .record<SeriesView>({
        bucket: fc.constantFrom('auto', 'day', 'week', 'month'),
        from: instant,
        to: instant,
        asTable: fc.boolean(),
      })
      .filter(({ from, to }) => from === null || to === null || from < to)
    fc.assert(
      fc.property(view, (asked) => {
        const params = new URLSearchParams(toViewParams(asked).toString())
        expect(readSeriesView(params)).toEqual({ view: asked, ignored: [] })
      }),
    )
  })

  test('the page as it first stands has no parameters', () => {
    const { view } = readSeriesView(new URLSearchParams())
    expect(toViewParams(view).toString()).toBe('')
  })

  test('an unknown view is named and the chart stands', () => {
    const { view, ignored } = readSeriesView(new URLSearchParams('view=pie&bucket=week'))
    expect(view).toMatchObject({ asTable: false, bucket: 'week' })
    expect(ignored.map((issue) => issue.parameter)).toEqual(['view'])
  })
})

describe('a range', () => {
  test('is written as a date, the last of a shorter month where need be', () => {
    const now = at('2026-03-31T15:00:00Z')
    expect(toRangeStart({ months: 1 }, now)).toBe(at('2026-02-28T00:00:00Z'))
    expect(toRangeStart({ months: 12 }, now)).toBe(at('2025-03-31T00:00:00Z'))
  })

  test('is marked as chosen while its date stands in the address', () => {
    const now = at('2026-11-21T15:00:00Z')
    for (const range of RANGES) {
      expect(selectRange({ from: toRangeStart(range, now), to: null }, now)).toBe(range)
    }
    expect(selectRange({ from: at('2020-01-01T00:00:00Z'), to: null }, now)).toBeNull()
  })
})
