import type { Shares } from './shares.ts'
import type { Choice, SpanEnd, SpanGrid } from './span-drag.ts'

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
