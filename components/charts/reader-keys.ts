import { type Columns, toSelection } from './selection.ts'

/** Where a reader stands in a chart: a bucket, and the one that a selection began in. */
export type Reader = { index: number | null; anchor: number | null }

export const NOWHERE: Reader = { index: null, anchor: null }

const PAGE = 10

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -PAGE,
  PageDown: PAGE,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

type Press = { key: string; shiftKey: boolean }

/**
 * Where a key leads in a chart of `count` buckets; null where it is none of ours. Arrows go by one bucket, pages by
 * ten; with Shift they select; Escape gives up the selection first, then the place.
 */
export function pressKey(reader: Reader, { key, shiftKey }: Press, count: number): Reader | null {
  const { index, anchor } = reader
  if (key === 'Escape') {
    if (anchor !== null) return { index, anchor: null }
    return index === null ? null : NOWHERE
  }
  const step = STEPS[key]
  if (step === undefined || count === 0) return null
  // From nowhere, a step back comes in at the newest bucket, a step on at the oldest.
  const start = index ?? (step < 0 && key !== 'Home' ? count : -1)
  const next = Math.max(0, Math.min(count - 1, start + step))
  return { index: next, anchor: shiftKey ? (anchor ?? index ?? next) : null }
}

/** The buckets that a reader has selected by keys. */
export const toSelected = ({ index, anchor }: Reader, count: number): Columns | null =>
  index === null || anchor === null ? null : toSelection(anchor, index, count)
