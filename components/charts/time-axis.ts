import type { PaneFrame } from './chart-data.ts'
import { RIGHT_MARGIN, toAxisWidth } from './chart-sizes.ts'
import { type TimeTick, toTimeTicks } from './time-ticks.ts'

const TICK_WIDTH = 76
const LETTER_WIDTH = 6
const DAY = 86_400

type TimeFrame = {
  /** Ascending, at least one; seconds since 1970. */
  starts: readonly number[]
  bucket: string
  bucketSeconds: number
  width: number
  until?: number | undefined
}

export function toTimeFrame({ starts, width, until, ...rest }: TimeFrame): PaneFrame {
  const edges = toEdges(starts, rest)
  const [from, end] = [edges.at(0) ?? 0, edges.at(-1) ?? 0]
  const left = toAxisWidth(width)
  const span = [from, Math.max(end, until ?? end)] as const
  const fitting = Math.max(2, Math.floor((width - left) / TICK_WIDTH))
  const ticks = toTimeTicks(...span, fitting)
  const frame = { span, edges, ticks, width, left, right: RIGHT_MARGIN }
  const isWhole = ({ at, label }: TimeTick) =>
    toX(frame, at) + (label.length * LETTER_WIDTH) / 2 <= width
  return { ...frame, ticks: ticks.filter(isWhole) }
}

/** Returns one more instant than there are buckets. */
export function toEdges(
  starts: readonly number[],
  { bucket, bucketSeconds }: Pick<TimeFrame, 'bucket' | 'bucketSeconds'>,
): number[] {
  const last = starts.at(-1) ?? 0
  const date = new Date(last * 1000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  if (bucket === 'month') return [...starts, Date.UTC(year, month + 1) / 1000]
  if (bucket === 'year') return [...starts, Date.UTC(year + 1, 0) / 1000]
  return [...starts, last + Math.max(bucketSeconds, DAY)]
}

/** `t` in seconds since 1970; returns pixels from the drawing's left. */
export function toX({ span: [from, to], left, right, width }: PaneFrame, t: number): number {
  return left + ((t - from) / (to - from)) * (width - left - right)
}

/** Clamps `x` (pixels from the drawing's left). */
export function toColumn(frame: PaneFrame, x: number): number {
  const { edges, left, right, width } = frame
  const [from, to] = frame.span
  const t = from + ((x - left) / Math.max(1, width - left - right)) * (to - from)
  let [low, high] = [0, edges.length - 2]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((edges[middle] ?? 0) <= t) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

export function toSides(frame: PaneFrame, column: number): [number, number] {
  const { edges } = frame
  return [toX(frame, edges[column] ?? 0), toX(frame, edges[column + 1] ?? 0)]
}
