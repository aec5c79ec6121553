import type { Shares } from './shares.ts'

export type BarPart = { code: number; label: string; count: number }

export type ReadBar = {
  key: string
  label: string
  count: number
  parts?: readonly BarPart[]
  isOn: boolean
}

export type SpanTip = {
  title: string
  count?: number
  /** What is counted, in the singular. Default: rating. */
  one?: string
  parts?: readonly { code: number; label: string; count: number }[]
  note?: string
}

/** `stops` are shares of the width, 0 to 1. */
export type SpanEnds = {
  names: Readonly<Record<SpanEnd, string>>
  stops: readonly number[]
  canMeet: boolean
  texts: Readonly<Record<SpanEnd, string>>
  toText: (end: SpanEnd, stop: number) => string
  moveTo: (choice: Extract<Choice, { of: 'stops' }>) => void
}

export type SpanModel = {
  bars: number
  chosen: Shares
  tell: (first: number, last: number) => SpanTip
  pickBar: (index: number) => void
  pickBars: (first: number, last: number) => void
  clear?: () => void
  ends?: SpanEnds
}

export const toGrid = ({ bars, chosen, ends }: SpanModel): SpanGrid => ({
  bars,
  chosen,
  stops: ends?.stops ?? [],
  canMeet: ends?.canMeet ?? false,
})

export const toEdgeShares = (bars: number): number[] =>
  Array.from({ length: bars + 1 }, (_, index) => index / bars)

export type SpanGrid = {
  bars: number
  chosen: Shares
  stops: readonly number[]
  canMeet: boolean
}

export type SpanEnd = 'begin' | 'end'

export type Grip = { of: 'bars'; at: number } | { of: SpanEnd } | { of: 'both'; at: number }

/** `first` and `last` are inclusive; `begin` and `end` are indexes of stops. */
export type Choice =
  | { of: 'bars'; first: number; last: number }
  | { of: 'stops'; begin: number; end: number; moved: SpanEnd | 'both' }

/** `at` is a share of the width, possibly outside 0 to 1. */
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

function moveBoth(by: number, grid: SpanGrid): Choice {
  const { begin, end } = toStops(grid)
  const last = grid.stops.length - 1
  const [least, most] = [Math.max(-begin, 1 - end), Math.min(last - end, last - 1 - begin)]
  const step = Math.max(least, Math.min(most, by))
  return { of: 'stops', begin: begin + step, end: end + step, moved: 'both' }
}

type Stops = { begin: number; end: number }

/** Ends never cross. The last stop is invalid for `begin`, and the first for `end`. */
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

const LONG_STEP = 0.1

/** Null if the key is not handled. With Shift both ends move. */
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

const NEAR = 1e-9

/** An end that did not move keeps its position, even between two stops. */
export function toChosenShares(choice: Choice, { bars, stops, chosen }: SpanGrid): Shares {
  if (choice.of === 'bars') return { begin: choice.first / bars, end: (choice.last + 1) / bars }
  return {
    begin: choice.moved === 'end' ? chosen.begin : (stops[choice.begin] ?? 0),
    end: choice.moved === 'begin' ? chosen.end : (stops[choice.end] ?? 1),
  }
}

export const isSameChoice = (a: Choice | null, b: Choice | null): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

export const toBar = (at: number, bars: number): number =>
  Math.max(0, Math.min(bars - 1, Math.floor(at * bars)))

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
