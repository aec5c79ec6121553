import type { Shares } from './shares.ts'

/** How many rows of a bar bear a code. */
export type BarPart = { code: number; label: string; count: number }

/** A bar. `label` says what it covers. */
export type ReadBar = {
  key: string
  label: string
  count: number
  /** What it is made of, from the bottom up; all of one kind where it is missing. */
  parts?: readonly BarPart[]
  /** Does the query include it? With no such filter every bar is on. */
  isOn: boolean
}

/** What a bar, or several of them, hold: for the pointer and for who is moving an end. */
export type SpanTip = {
  title: string
  /** Where it is known. */
  count?: number
  parts?: readonly { code: number; label: string; count: number }[]
  note?: string
}

/** The ends of a span that can be moved along `stops`, shares of the width from 0 to 1. */
export type SpanEnds = {
  names: Readonly<Record<SpanEnd, string>>
  stops: readonly number[]
  /** May both stand in the same place? */
  canMeet: boolean
  /** Where they stand, in words. */
  texts: Readonly<Record<SpanEnd, string>>
  /** Where they would stand, by the index of a stop. */
  toText: (end: SpanEnd, stop: number) => string
  moveTo: (choice: Extract<Choice, { of: 'stops' }>) => void
}

/** What bars side by side show of a filter and do to it. */
export type SpanModel = {
  bars: number
  /** What the filter leaves; all of it where it is none or no span. */
  chosen: Shares
  tell: (first: number, last: number) => SpanTip
  /** Shows the rows of one bar only, or of all again. */
  pickBar: (index: number) => void
  /** Shows the rows of several bars only, both included. */
  pickBars: (first: number, last: number) => void
  /** Takes the filter away. Missing where there is none. */
  clear?: () => void
  ends?: SpanEnds
}

export const toGrid = ({ bars, chosen, ends }: SpanModel): SpanGrid => ({
  bars,
  chosen,
  stops: ends?.stops ?? [],
  canMeet: ends?.canMeet ?? false,
})

/** The edges of so many bars of equal width. */
export const toEdgeShares = (bars: number): number[] =>
  Array.from({ length: bars + 1 }, (_, index) => index / bars)

/** What a span can be chosen on: bars of equal width and, where its ends can be moved, the places they may stand. */
export type SpanGrid = {
  bars: number
  chosen: Shares
  /** Ascending, from 0 to 1. */
  stops: readonly number[]
  /** May both ends stand in the same place? */
  canMeet: boolean
}

export type SpanEnd = 'begin' | 'end'

/** What was taken hold of: bars (a new span begins at one of them), an end of the span, or all of it. */
export type Grip = { of: 'bars'; at: number } | { of: SpanEnd } | { of: 'both'; at: number }

/** What would be chosen: bars, both included, or two stops by their index. `moved` says which of the ends is new. */
export type Choice =
  | { of: 'bars'; first: number; last: number }
  | { of: 'stops'; begin: number; end: number; moved: SpanEnd | 'both' }

/** What is chosen when the grip is let go at `at`, a share of the width; may lie outside of it. */
export function dragTo(grip: Grip, at: number, grid: SpanGrid): Choice {
  if (grip.of === 'bars') {
    const [from, to] = [toBar(grip.at, grid.bars), toBar(at, grid.bars)]
    return { of: 'bars', first: Math.min(from, to), last: Math.max(from, to) }
  }
  const { begin, end } = toStops(grid)
  if (grip.of === 'both') {
    return moveBoth(toNearest(grid.stops, grid.chosen.begin + at - grip.at) - begin, grid)
  }
  return moveEnd(grip.of, toNearest(grid.stops, at), { begin, end }, grid)
}

/** Both ends as far to the side as there is room: the span keeps its length. */
function moveBoth(by: number, grid: SpanGrid): Choice {
  const { begin, end } = toStops(grid)
  const last = grid.stops.length - 1
  const [least, most] = [Math.max(-begin, 1 - end), Math.min(last - end, last - 1 - begin)]
  const step = Math.max(least, Math.min(most, by))
  return { of: 'stops', begin: begin + step, end: end + step, moved: 'both' }
}

type Stops = { begin: number; end: number }

/**
 * An end as near to where it should be as the other allows: they never change places. The last place of all is none for
 * the beginning, nor the first for the end: there they mean that nothing bounds the span.
 */
function moveEnd(which: SpanEnd, to: number, { begin, end }: Stops, grid: SpanGrid): Choice {
  const { stops, chosen } = grid
  const room = (a: number, b: number) => (grid.canMeet ? a <= b : a < b)
  if (which === 'begin') {
    const most = stops.slice(0, -1).findLastIndex((stop) => room(stop, chosen.end))
    return { of: 'stops', begin: Math.min(to, Math.max(0, most)), end, moved: 'begin' }
  }
  const least = stops.findIndex((stop, index) => index > 0 && room(chosen.begin, stop))
  const last = stops.length - 1
  return { of: 'stops', begin, end: Math.max(to, least === -1 ? last : least), moved: 'end' }
}

/** How many stops a long step of the keyboard passes, as a share of all. */
const LONG_STEP = 0.1

/** What a key does to an end of the span; with Shift the other end goes along. Null: not a key for it. */
export function stepTo(
  which: SpanEnd,
  { key, shiftKey }: { key: string; shiftKey: boolean },
  grid: SpanGrid,
): Choice | null {
  const { stops, chosen } = grid
  const last = stops.length - 1
  if (key === 'Home' || key === 'End') {
    return moveEnd(which, key === 'Home' ? 0 : last, toStops(grid), grid)
  }
  const way = WAYS[key]
  if (way === undefined) return null
  const long = key.startsWith('Page') ? Math.max(2, Math.round(last * LONG_STEP)) : 1
  if (shiftKey) return moveBoth(way * long, grid)
  // An end between two stops comes to the next one, not past it.
  const next =
    way > 0
      ? stops.findIndex((stop) => stop > chosen[which] + NEAR)
      : stops.findLastIndex((stop) => stop < chosen[which] - NEAR)
  const from = next === -1 ? (way > 0 ? last : 0) : next
  const to = Math.max(0, Math.min(last, from + way * (long - 1)))
  return moveEnd(which, to, toStops(grid), grid)
}

const WAYS: Readonly<Record<string, 1 | -1>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageDown: -1,
}

/** Shares nearer than that are the same place. */
const NEAR = 1e-9

/** Where a choice lies. An end that did not move stays where it was, between two stops if need be. */
export function toChosenShares(choice: Choice, { bars, stops, chosen }: SpanGrid): Shares {
  if (choice.of === 'bars') return { begin: choice.first / bars, end: (choice.last + 1) / bars }
  return {
    begin: choice.moved === 'end' ? chosen.begin : (stops[choice.begin] ?? 0),
    end: choice.moved === 'begin' ? chosen.end : (stops[choice.end] ?? 1),
  }
}

export const isSameChoice = (a: Choice | null, b: Choice | null): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/** The bar at a share of the width; outside of it the first or the last. */
export const toBar = (at: number, bars: number): number =>
  Math.max(0, Math.min(bars - 1, Math.floor(at * bars)))

/** The stops nearest to the ends; two where the span lies between them. */
function toStops({ stops, chosen, canMeet }: SpanGrid): Stops {
  const [begin, end] = [toNearest(stops, chosen.begin), toNearest(stops, chosen.end)]
  if (canMeet || begin < end) return { begin, end }
  return end < stops.length - 1 ? { begin, end: end + 1 } : { begin: begin - 1, end }
}

function toNearest(stops: readonly number[], at: number): number {
  let nearest = 0
  stops.forEach((stop, index) => {
    if (Math.abs(stop - at) < Math.abs((stops[nearest] ?? 0) - at)) nearest = index
  })
  return nearest
}
