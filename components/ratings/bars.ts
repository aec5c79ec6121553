import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { Shares } from './shares.ts'

/** How many rows of a bar bear a code. */
export type BarPart = { code: number; label: string; count: number }

/** A bar that filters: `pick` shows its rows only, or all again if it did. `label` says what it covers. */
export type Bar = {
  key: string
  label: string
  count: number
  /** What it is made of, from the bottom up; all of one kind where it is missing. */
  parts?: readonly BarPart[]
  /** Does the query include it? With no such filter every bar is on. */
  isOn: boolean
  pick: <Q extends RatingsQuery>(query: Q) => Q
}

/** The bars of a column side by side, and what a filter by a span does to them. */
export type Bars = {
  bars: readonly Bar[]
  /** Where the span begins and ends. */
  chosen: Shares
  /** The query with the rows of several bars only, both included. Up to the first or the last is without a bound. */
  pickSpan: <Q extends RatingsQuery>(query: Q, first: number, last: number) => Q
  /** What several bars cover. */
  toLabel: (first: number, last: number) => string
}

/** Several bars as one: how many rows, and of which codes. */
export function toSum(bars: readonly Bar[]): { count: number; parts: BarPart[] } {
  const parts = new Map<number, BarPart>()
  let sum = 0
  for (const bar of bars) {
    sum += bar.count
    for (const { code, label, count } of bar.parts ?? []) {
      parts.set(code, { code, label, count: count + (parts.get(code)?.count ?? 0) })
    }
  }
  return { count: sum, parts: [...parts.values()].sort((a, b) => a.code - b.code) }
}
