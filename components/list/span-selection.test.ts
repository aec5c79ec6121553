import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WHOLE } from './shares.ts'
import { dragTo, type SpanGrid, stepTo, toChosenShares } from './span-selection.ts'

const edges = (bars: number) => Array.from({ length: bars + 1 }, (_, index) => index / bars)
const grid = (begin: number, end: number, bars = 10): SpanGrid => ({
  bars,
  chosen: { begin, end },
  stops: edges(bars),
  canMeet: false,
})
const key = (name: string, shiftKey = false) => ({ key: name, shiftKey })

describe('a drag over bars', () => {
  it('chooses every bar it touched, in whichever direction it went', () => {
    const there = dragTo({ of: 'bars', at: 0.21 }, 0.55, grid(0, 1))
    expect(there).toEqual({ of: 'bars', first: 2, last: 5 })
    expect(dragTo({ of: 'bars', at: 0.55 }, 0.21, grid(0, 1))).toEqual(there)
  })

  it('that leaves the bars ends at the first or the last of them', () => {
    expect(dragTo({ of: 'bars', at: 0.5 }, 7, grid(0, 1))).toMatchObject({ first: 5, last: 9 })
    expect(dragTo({ of: 'bars', at: 0.5 }, -7, grid(0, 1))).toMatchObject({ first: 0, last: 5 })
  })
})

describe('a drag of an end', () => {
  it('goes to the nearest edge of a bar, and never past the other end', () => {
    const chosen = grid(0.2, 0.5)
    expect(dragTo({ of: 'end' }, 0.68, chosen)).toEqual({
      of: 'stops',
      begin: 2,
      end: 7,
      moved: 'end',
    })
    expect(dragTo({ of: 'end' }, 0, chosen)).toMatchObject({ begin: 2, end: 3 })
    expect(dragTo({ of: 'begin' }, 1, chosen)).toMatchObject({ begin: 4, end: 5 })
  })

  it('may meet the other end only where that leaves something', () => {
    expect(dragTo({ of: 'begin' }, 1, { ...grid(0.2, 0.5), canMeet: true })).toMatchObject({
      begin: 5,
      end: 5,
    })
  })

  it('never ends where it would mean no bound at all on its side', () => {
    const chosen = { ...grid(0, 1), canMeet: true }
    expect(dragTo({ of: 'begin' }, 1, chosen)).toMatchObject({ begin: 9 })
    expect(dragTo({ of: 'end' }, 0, chosen)).toMatchObject({ end: 1 })
  })

  it('leaves the other end exactly where it was, between two edges if it stood there', () => {
    const chosen = grid(0.234, 0.5)
    expect(toChosenShares(dragTo({ of: 'end' }, 0.8, chosen), chosen)).toEqual({
      begin: 0.234,
      end: 0.8,
    })
  })
})

describe('a span moved as a whole', () => {
  it('keeps its length and stops at the edges', () => {
    const chosen = grid(0.2, 0.5)
    const grip = { of: 'both', at: 0.3 } as const
    expect(dragTo(grip, 0.51, chosen)).toMatchObject({ begin: 4, end: 7, moved: 'both' })
    expect(dragTo(grip, 5, chosen)).toMatchObject({ begin: 7, end: 10 })
    expect(dragTo(grip, -5, chosen)).toMatchObject({ begin: 0, end: 3 })
  })
})

describe('the keyboard', () => {
  it('moves an end by one stop, by a tenth of all, or to the very end', () => {
    const chosen = grid(0.2, 0.5, 20)
    expect(stepTo('begin', key('ArrowRight'), chosen)).toMatchObject({ begin: 5, end: 10 })
    expect(stepTo('begin', key('ArrowLeft'), chosen)).toMatchObject({ begin: 3 })
    expect(stepTo('end', key('PageUp'), chosen)).toMatchObject({ end: 12 })
    expect(stepTo('end', key('PageDown'), chosen)).toMatchObject({ end: 8 })
    expect(stepTo('end', key('End'), chosen)).toMatchObject({ end: 20 })
    expect(stepTo('begin', key('Home'), chosen)).toMatchObject({ begin: 0 })
    expect(stepTo('begin', key('End'), chosen)).toMatchObject({ begin: 9 })
  })

  it('with Shift moves both ends', () => {
    expect(stepTo('end', key('ArrowRight', true), grid(0.2, 0.5))).toEqual({
      of: 'stops',
      begin: 3,
      end: 6,
      moved: 'both',
    })
  })

  it('brings an end that stands between two stops to the next one', () => {
    expect(stepTo('begin', key('ArrowRight'), grid(0.234, 0.5))).toMatchObject({ begin: 3 })
    expect(stepTo('begin', key('ArrowLeft'), grid(0.234, 0.5))).toMatchObject({ begin: 2 })
  })

  it('leaves every other key to the page', () => {
    expect(stepTo('begin', key('a'), grid(0, 1))).toBeNull()
    expect(stepTo('begin', key('Tab'), grid(0, 1))).toBeNull()
  })
})

it('whatever is dragged or pressed, a span never becomes empty or leaves its bars', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const anywhere = fc.double({ min: -2, max: 3, noNaN: true })
  const spans = fc
    .tuple(share, share, fc.integer({ min: 1, max: 40 }))
    .filter(([a, b]) => a !== b)
    .map(([a, b, bars]) => grid(Math.min(a, b), Math.max(a, b), bars))
  const grips = fc.oneof(
    fc.constantFrom({ of: 'begin' } as const, { of: 'end' } as const),
    share.map((at) => ({ of: 'both', at }) as const),
    share.map((at) => ({ of: 'bars', at }) as const),
  )
  fc.assert(
    fc.property(spans, grips, anywhere, (chosen, grip, at) => {
      const { begin, end } = toChosenShares(dragTo(grip, at, chosen), chosen)
      expect(begin).toBeGreaterThanOrEqual(WHOLE.begin)
      expect(end).toBeLessThanOrEqual(WHOLE.end)
      expect(begin).toBeLessThan(end)
    }),
  )
})
