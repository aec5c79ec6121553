import type { PaneFrame, PendingPoint, RatingDot, TimePanesProps } from './chart-data.ts'
import { NARROW_ONLY, NARROW_WIDTH, PANE_HEIGHTS, WIDE_ONLY, WIDE_WIDTH } from './chart-sizes.ts'
import {
  CONSENSUS_SCALE,
  type OffScale,
  type PaneScale,
  type PercentScale,
  toClipped,
  toOffScale,
  toPaneScale,
  toPredictionScale,
  toY,
} from './scales.ts'
import { toColumn, toTimeFrame, toX } from './time-axis.ts'

/** Positions are pixels from each pane's corner; `ends` is seconds since 1970. */
export type Drawing = {
  frame: PaneFrame
  ends: readonly number[]
  percents: PercentScale
  percentScale: PaneScale
  rated: readonly PlacedDot[]
  /** Clipped to the edge of the scale. */
  predicted: readonly PlacedDot[]
  offScale: OffScale
  /** Pixels from the left; null if nothing is pending. */
  now: number | null
  edge: PlacedEdge | null
}

/** Pixels; `y` is the middle of the text. */
export type PlacedEdge = { x: number; y: number; left: number; width: number; text: string }

type Drawn = Pick<
  TimePanesProps,
  'points' | 'bucket' | 'bucketSeconds' | 'dots' | 'pending' | 'edge'
> & { width: number }

export function toDrawing(drawn: Drawn): Drawing {
  const { points, bucket, bucketSeconds, dots, pending, width } = drawn
  const starts = points.map((point) => point.t)
  const isAhead = pending.length > 1
  const until = isAhead ? pending.at(-1)?.t : undefined
  const frame = toTimeFrame({ starts, bucket, bucketSeconds, width, until })
  const percents = toPredictionScale(points, dots)
  const percentScale = toPredictionPaneScale(percents.bound)
  const inRange = dots.filter(({ t }) => t >= frame.span[0] && t <= frame.span[1])
  const values = points.map(({ consensus }) =>
    consensus === null ? null : toY(CONSENSUS_SCALE, consensus),
  )
  const now = isAhead && pending[0] ? toX(frame, pending[0].t) : null
  const edge = now === null ? null : toPlacedEdge(drawn, { frame, values, now })
  return {
    frame,
    ends: toEnds(frame, pending),
    percents,
    percentScale,
    rated: toRatedDots(inRange, frame),
    predicted: toPredictedDots(inRange, frame, percentScale),
    offScale: toOffScale(points, inRange, percents.bound),
    now,
    edge,
  }
}

const toPredictionPaneScale = (bound: number): PaneScale =>
  toPaneScale({
    height: PANE_HEIGHTS.prediction,
    domain: [-bound, bound],
    padding: { top: 6, bottom: 8 },
  })

function toEnds({ edges }: PaneFrame, pending: readonly PendingPoint[]): number[] {
  const ends = edges.slice(1)
  const [start, end, now] = [edges.at(-2) ?? 0, edges.at(-1) ?? 0, pending[0]?.t]
  if (now !== undefined && now > start && now < end) ends[ends.length - 1] = now
  return ends
}

type EdgePlacement = {
  frame: PaneFrame
  values: readonly (number | null)[]
  now: number
}

/** Pixels. */
const EDGE_LETTER = 5.5
const EDGE_GAP = 5
const EDGE_HALF = 7

const LANES = [1.5, 2.5, 3.5, 4.5]

function toPlacedEdge(
  { edge: text, pending }: Drawn,
  { frame, values, now }: EdgePlacement,
): PlacedEdge {
  const width = text.length * EDGE_LETTER
  const isBefore = now + EDGE_GAP + width > frame.width - frame.right
  const left = isBefore ? now - EDGE_GAP - width : now + EDGE_GAP
  const ahead = pending
    .filter(({ t }) => toX(frame, t) <= left + width)
    .map(({ consensus }) => (consensus === null ? null : toY(CONSENSUS_SCALE, consensus)))
  const drawn = isBefore ? values.slice(toColumn(frame, left), toColumn(frame, now) + 1) : ahead
  const reach = toReach(drawn)
  const isFree = (y: number) =>
    reach === null || y + EDGE_HALF < reach.top - 2 || y - EDGE_HALF > reach.bottom + 2
  const lanes = LANES.map((rating) => toY(CONSENSUS_SCALE, rating))
  const y = lanes.find(isFree) ?? lanes[0] ?? CONSENSUS_SCALE.low
  return { x: now, y: Math.round(y), left, width, text }
}

export const LAST_ABOVE = 14

function toReach(values: readonly (number | null)[]): { top: number; bottom: number } | null {
  const drawn = values.filter((value) => value !== null)
  return drawn.length === 0 ? null : { top: Math.min(...drawn), bottom: Math.max(...drawn) }
}

type Framed = { frame: PaneFrame }

/**
 * Marks stretch, texts do not: until the width is known, texts are rendered for a narrow and a wide
 * page, of which `className` shows one.
 */
type PaneView<D extends Framed = Drawing> = { drawing: D; className?: string }

export type PaneViews<D extends Framed = Drawing> = readonly [PaneView<D>, ...PaneView<D>[]]

/** `drawing` is null until the width is known. */
export function toPaneViews<D extends Framed>(
  drawing: D | null,
  draw: (width: number) => D,
): PaneViews<D> {
  if (drawing) return [{ drawing }]
  return [
    { drawing: draw(WIDE_WIDTH), className: WIDE_ONLY },
    { drawing: draw(NARROW_WIDTH), className: NARROW_ONLY },
  ]
}

/** For example `41.67%`. */
export const toShare = ({ left, right, width }: PaneFrame, x: number): string =>
  `${Math.round((10_000 * (x - left)) / (width - left - right)) / 100}%`

export type PlacedDot = RatingDot & { x: number; y: number }

const JITTER = 8

const toRatedDots = (dots: readonly RatingDot[], frame: PaneFrame): PlacedDot[] =>
  dots.map((dot) => ({
    ...dot,
    x: toX(frame, dot.t),
    y: toY(CONSENSUS_SCALE, dot.rating) + JITTER * toJitter(dot.id),
  }))

const toPredictedDots = (
  dots: readonly RatingDot[],
  frame: PaneFrame,
  scale: PaneScale,
): PlacedDot[] =>
  dots.map((dot) => ({
    ...dot,
    x: toX(frame, dot.t),
    y: toY(scale, toClipped(dot.prediction, scale.domain[1])),
  }))

/** Returns −1 to 1, stable per id and unlike for consecutive ids. */
export function toJitter(id: number): number {
  const mixed = Math.imul(id ^ (id >>> 15), 0x2c1b3c6d)
  const spread = (mixed ^ (mixed >>> 13)) >>> 0
  return (spread / 0xffffffff) * 2 - 1
}
