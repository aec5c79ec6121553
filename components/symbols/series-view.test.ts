import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  RANGES,
  selectRange,
  toRangeStart,
  toWholeDays,
  toZoomedOut,
} from '#components/time/time-range.ts'
import {
  OTHERS_MAX,
  readSeriesView,
  type SeriesView,
  toSymbolPageParams,
  withUsualRange,
} from './series-view.ts'

const at = (text: string) => Date.parse(text) / 1000

const read = (text: string) => readSeriesView(new URLSearchParams(text), 'AAPL')

const instant = fc.option(fc.integer({ min: 0, max: 4_000_000_000 }), { nil: null })
const symbols = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom('MSFT', 'NVDA', 'BRK.B', '-X', 'A,B', 'A "B"'),
    fc.stringMatching(/^[A-Z]{1,4}$/),
  ),
  { maxLength: OTHERS_MAX },
)

const arbitraryView = fc
  .record({
    bucket: fc.constantFrom('auto', 'day', 'week', 'month'),
    from: instant,
    to: instant,
    asof: instant,
    asTable: fc.boolean(),
    vs: symbols.map((some) => some.filter((one) => one !== 'AAPL')),
    why: fc.constantFrom('7', '30', '90', 'range'),
    isAllTime: fc.boolean(),
    hides: fc.func(fc.boolean()),
  })
  .filter(({ from, to }) => from === null || to === null || from < to)
  .map(
    ({ hides, isAllTime, ...view }): SeriesView => ({
      ...view,
      isWhole: isAllTime && view.from === null && view.to === null,
      hidden: [...view.vs, 'AAPL'].filter((one) => hides(one)),
    }),
  )

describe('the address of a symbol’s page', () => {
  test('every view reads back from its own address', () => {
    fc.assert(
      fc.property(arbitraryView, (asked) => {
        expect(read(toSymbolPageParams(asked).toString())).toEqual({ view: asked, ignored: [] })
      }),
    )
  })

  test('without a range the usual one is drawn, and nothing of it is written', () => {
    const extent = { from: at('2014-02-27'), to: at('2026-11-22T14:00:00Z') }
    const last = at('2026-11-21')
    const drawn = (text: string, known: object = {}) => {
      const { from, to } = withUsualRange(read(text).view, { extent, last, ...known })
      return [from, to]
    }
    expect(drawn('')).toEqual([at('2023-11-22'), null])
    const all = [null, null]
    expect(drawn('range=all')).toEqual(all)
    expect(drawn('', { extent: { ...extent, from: at('2026-01-05') } })).toEqual(all)
    expect(drawn('', { last: at('2020-01-05') })).toEqual(all)
    expect(drawn('to=2020-01-01')).toEqual([null, at('2020-01-01')])
    fc.assert(
      fc.property(arbitraryView, (view) => {
        const shown = withUsualRange(view, { extent, last })
        const isAsked = view.isWhole || view.from !== null || view.to !== null
        expect(isAsked ? shown : { ...shown, from: null }).toEqual(view)
      }),
    )
  })

  test('whatever stands in it, a view comes of it, and that view’s own address says nothing wrong', () => {
    const name = fc.constantFrom('range', 'vs', 'hide', 'from', 'to', 'asof', 'bucket', 'view', 'x')
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('all', 'AAPL', 'MSFT,MSFT', '-NVDA', '2024-01-01'),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 8 }), (pairs) => {
        const { view } = readSeriesView(new URLSearchParams(pairs), 'AAPL')
        expect(read(toSymbolPageParams(view).toString())).toEqual({ view, ignored: [] })
      }),
    )
  })

  test('the page as it first stands has no parameters', () => {
    expect(toSymbolPageParams(read('').view).toString()).toBe('')
  })

  test.each([
    ['view=pie', 'view'],
    ['min=5', 'min'],
    ['price=log', 'price'],
    ['from=2024-01-01&to=2024-01-01', 'to'],
    ['asof=2024-02-30', 'asof'],
    ['vs=MSFT,MSFT', 'vs'],
    ['vs=aapl', 'vs'],
    ['vs=-MSFT', 'vs'],
    ['hide=MSFT', 'hide'],
    ['colour=red', 'colour'],
  ])('%s is named, and the chart stands', (text, parameter) => {
    const { view, ignored } = read(`${text}&bucket=week`)
    expect(view).toMatchObject({ asTable: false, bucket: 'week' })
    expect(ignored.map((issue) => issue.parameter)).toEqual([parameter])
  })

  test('of too many symbols the first five are compared, and it is said', () => {
    const { view, ignored } = read('vs=A,B,C,D,E,F,G')
    expect(view.vs).toEqual(['A', 'B', 'C', 'D', 'E'])
    expect(ignored).toEqual([
      { parameter: 'vs', message: 'takes at most 5 symbols; the first 5 are drawn' },
    ])
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

  test('that was dragged over is whole days, at least one, none after today', () => {
    const end = at('2026-11-21T15:00:00Z')
    const dragged = { from: at('2024-03-01T10:00:00Z'), to: at('2024-03-04T00:00:00Z') }
    expect(toWholeDays(dragged, end)).toEqual({ from: at('2024-03-01'), to: at('2024-03-04') })
    const beyond = { from: at('2026-11-21T10:00:00Z'), to: at('2027-03-04T00:00:00Z') }
    expect(toWholeDays(beyond, end)).toEqual({ from: at('2026-11-21'), to: at('2026-11-22') })
  })

  test('zoomed out holds what was shown, and again and again comes to everything', () => {
    const extent = { from: at('2014-01-02'), to: at('2026-11-21T15:00:00Z') }
    const span = fc
      .tuple(fc.integer({ min: extent.from, max: extent.to }), fc.integer({ min: 1, max: 1e8 }))
      .map(([from, length]) => ({ from, to: from + length }))
    fc.assert(
      fc.property(span, (shown) => {
        let wider = toZoomedOut(shown, extent)
        expect(wider.from ?? extent.from).toBeLessThanOrEqual(shown.from)
        expect(wider.to ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(shown.to)
        for (let step = 0; step < 40; step += 1) wider = toZoomedOut(wider, extent)
        expect(wider).toEqual({ from: null, to: null })
      }),
    )
  })
})
