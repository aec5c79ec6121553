import type { PaneFrame, PendingPoint, RatingDot, TimePanesProps } from './chart-data.ts'
import { NARROW_ONLY, NARROW_WIDTH, PANE_HEIGHTS, WIDE_ONLY, WIDE_WIDTH } from './chart-sizes.ts'
import { toTrendScale } from './rating-counts.ts'
import {
  type OffScale,
  PANE_TOP,
  type PaneScale,
  type PercentScale,
  toClipped,
  toConsensusScale,
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
  ratings: PaneScale
  percents: PercentScale
  percentScale: PaneScale
  trend: { ticks: number[]; scale: PaneScale }
  rated: readonly PlacedDot[]
  /** Clipped to the edge of the scale. */
  predicted: readonly PlacedDot[]
  offScale: OffScale
  annotations: readonly Annotation[]
  /** Pixels from the left; null if nothing is pending. */
  now: number | null
  edge: Annotation | null
}

type Drawn = Pick<
  TimePanesProps,
  'points' | 'bucket' | 'bucketSeconds' | 'dots' | 'pending' | 'moves' | 'trend' | 'edge'
> & {
  width: number
  height?: number
}

export function toDrawing(drawn: Drawn): Drawing {
  const { points, bucket, bucketSeconds, dots, pending, width } = drawn
  const ratings = toConsensusScale(drawn.height ?? PANE_HEIGHTS.consensus)
  const starts = points.map((point) => point.t)
  const isAhead = pending.length > 1
  const until = isAhead ? pending.at(-1)?.t : undefined
  const frame = toTimeFrame({ starts, bucket, bucketSeconds, width, until })
  const percents = toPredictionScale(points, dots)
  const percentScale = toPredictionPaneScale(percents.bound)
  const { bound, ticks } = toTrendScale(points, drawn.trend)
  const inRange = dots.filter(({ t }) => t >= frame.span[0] && t <= frame.span[1])
  const values = points.map(({ consensus }) =>
    consensus === null ? null : toY(ratings, consensus),
  )
  const now = isAhead && pending[0] ? toX(frame, pending[0].t) : null
  const edge = now === null ? null : toPlacedEdge(drawn, { frame, ratings, values, now })
  const annotations = toPlacedMoves(drawn, { frame, ratings, values, now, edge })
  return {
    frame,
    ratings,
    ends: toEnds(frame, pending),
    percents,
    percentScale,
    trend: { ticks, scale: toTrendPaneScale(bound) },
    rated: toRatedDots(inRange, frame, ratings),
    predicted: toPredictedDots(inRange, frame, percentScale),
    offScale: toOffScale(points, inRange, percents.bound),
    annotations,
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

const toTrendPaneScale = (bound: number): PaneScale =>
  toPaneScale({
    height: PANE_HEIGHTS.trend,
    domain: [0, bound],
    padding: { top: 0, bottom: 0 },
    showsTime: true,
  })

function toEnds({ edges }: PaneFrame, pending: readonly PendingPoint[]): number[] {
  const ends = edges.slice(1)
  const [start, end, now] = [edges.at(-2) ?? 0, edges.at(-1) ?? 0, pending[0]?.t]
  if (now !== undefined && now > start && now < end) ends[ends.length - 1] = now
  return ends
}

type LabelPlacement = {
  frame: PaneFrame
  ratings: PaneScale
  values: readonly (number | null)[]
}

/** Pixels. */
const EDGE_LETTER = 5.5
const EDGE_GAP = 5
const EDGE_HALF = 7

const LANES = [1.5, 2.5, 3.5, 4.5]

function toPlacedEdge(
  { edge: text, pending }: Drawn,
  { frame, ratings, values, now }: LabelPlacement & { now: number },
): Annotation {
  const width = text.length * EDGE_LETTER
  const isBefore = now + EDGE_GAP + width > frame.width - frame.right
  const left = isBefore ? now - EDGE_GAP - width : now + EDGE_GAP
  const ahead = pending
    .filter(({ t }) => toX(frame, t) <= left + width)
    .map(({ consensus }) => (consensus === null ? null : toY(ratings, consensus)))
  const drawn = isBefore ? values.slice(toColumn(frame, left), toColumn(frame, now) + 1) : ahead
  const reach = toReach(drawn)
  const isFree = (y: number) =>
    reach === null || y + EDGE_HALF < reach.top - 2 || y - EDGE_HALF > reach.bottom + 2
  const lanes = LANES.map((rating) => toY(ratings, rating))
  const y = lanes.find(isFree) ?? lanes[0] ?? ratings.low
  return { x: now, tip: Math.round(y), text, left, width, y: Math.round(y) }
}

const ABOVE_FOOT = 10

function toPlacedMoves(
  { moves }: Drawn,
  {
    frame,
    ratings,
    values,
    now,
    edge,
  }: LabelPlacement & { now: number | null; edge: Annotation | null },
): Annotation[] {
  const wanted = moves
    .filter(({ t }) => t >= frame.span[0] && t <= frame.span[1])
    .map(({ t, text, short }) => {
      const x = toX(frame, t)
      return { x, y: values[toColumn(frame, x)] ?? ratings.low, text, short }
    })
  return toAnnotations(wanted, {
    left: frame.left,
    right: now ?? frame.width - frame.right,
    top: PANE_TOP,
    bottom: ratings.low - ABOVE_FOOT,
    taken: [...(edge === null ? [] : [edge]), ...toLastBox(frame, values, now)],
    reachOf: (left, right) =>
      toReach(values.slice(toColumn(frame, left), toColumn(frame, right) + 1)),
  })
}

export const LAST_ABOVE = 14

function toLastBox(frame: PaneFrame, values: LabelPlacement['values'], now: number | null): Box[] {
  const [x, y] = [now ?? frame.width - frame.right, values.at(-1) ?? null]
  return y === null ? [] : [{ left: x - 18, width: 36, y: y - LAST_ABOVE }]
}

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

const toRatedDots = (dots: readonly RatingDot[], frame: PaneFrame, scale: PaneScale): PlacedDot[] =>
  dots.map((dot) => ({
    ...dot,
    x: toX(frame, dot.t),
    y: toY(scale, dot.rating) + JITTER * toJitter(dot.id),
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

type LabelRequest = { x: number; y: number; text: string; short?: string | undefined }

/** Pixels; `y` is the box's middle. */
export type Annotation = Box & { x: number; text: string; tip: number }

type Box = { left: number; width: number; y: number }

type Room = {
  left: number
  right: number
  top: number
  bottom: number
  taken?: readonly Box[]
  /** Pixels; null if no line is drawn there. */
  reachOf: (left: number, right: number) => { top: number; bottom: number } | null
}

const MOST = 3
const GAP = 6
const PADDING = 6
const HALF_HEIGHT = 8
const ROW = 2 * HALF_HEIGHT + 4
/** Pixels; rounded up, so that no label is narrower than its text. */
const LETTER_WIDTH = 6

/**
 * Places at most three texts near their points without overlaps, otherwise at the foot or head of
 * the pane. A text that fits nowhere is left out.
 */
export function toAnnotations(wanted: readonly LabelRequest[], room: Room): Annotation[] {
  const placed: Annotation[] = []
  const instants = wanted.slice(0, MOST).map(({ x }) => x)
  for (const { x, y, text, short } of wanted) {
    if (placed.length === MOST) break
    const boxes = [text, ...(short === undefined ? [] : [short])].flatMap((one) => {
      const width = one.length * LETTER_WIDTH + 2 * PADDING
      return toBoxes({ x, y, width }, room).map((box) => ({ ...box, width, text: one }))
    })
    const free = boxes.filter((box) =>
      [...(room.taken ?? []), ...placed].every((other) => !isTouching(box, other)),
    )
    const isCovering = ({ left, width }: Box) =>
      instants.some(
        (instant) => instant > left - GAP && instant < left + width + GAP && instant !== x,
      )
    const place = free.find((box) => !isCovering(box)) ?? free[0]
    if (place) placed.push({ x, tip: y, ...place })
  }
  return placed
}

function isTouching(one: Box, other: Box): boolean {
  const isBeside =
    one.left > other.left + other.width + GAP || one.left + one.width + GAP < other.left
  return !isBeside && Math.abs(one.y - other.y) < ROW
}

function toBoxes(
  { x, y, width }: Omit<LabelRequest, 'text'> & { width: number },
  room: Room,
): Omit<Box, 'width'>[] {
  const { top, bottom } = room
  const lefts = [x + GAP, x - width - GAP].filter(
    (left) => left >= room.left && left + width <= room.right,
  )
  const beside = lefts.flatMap((left) => {
    const reach = room.reachOf(left, left + width) ?? { top: y, bottom: y }
    const above = Math.min(reach.top - GAP - HALF_HEIGHT, bottom - HALF_HEIGHT)
    const below = Math.max(reach.bottom + GAP + HALF_HEIGHT, top + HALF_HEIGHT)
    return [0, 1, 2].flatMap((row) =>
      [above - row * ROW, below + row * ROW]
        .filter((middle) => middle - HALF_HEIGHT >= top && middle + HALF_HEIGHT <= bottom)
        .map((middle) => ({ left, y: Math.round(middle) })),
    )
  })
  const anywhere = [0, 1, 2].flatMap((row) =>
    lefts.flatMap((left) => [
      { left, y: bottom - HALF_HEIGHT - row * ROW },
      { left, y: top + HALF_HEIGHT + row * ROW },
    ]),
  )
  return [...beside.sort((a, b) => Math.abs(a.y - y) - Math.abs(b.y - y)), ...anywhere]
}
