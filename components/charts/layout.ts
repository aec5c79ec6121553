import type { PaneFrame, PendingPoint, RatingDot, TimePanesProps } from './chart-data.ts'
import { NARROW_ONLY, NARROW_WIDTH, PANE_HEIGHTS, WIDE_ONLY, WIDE_WIDTH } from './chart-sizes.ts'
import { toTrendScale } from './rating-counts.ts'
import {
  PANE_TOP,
  type PaneScale,
  type PercentScale,
  toClipped,
  toConsensusScale,
  toPaneScale,
  toPredictionScale,
  toY,
} from './scales.ts'
import { toColumn, toTimeFrame, toX } from './time-axis.ts'

/** What a chart's panes are drawn from, for one width. Places are pixels from each pane's corner, `ends` seconds. */
export type Drawing = {
  frame: PaneFrame
  /** The end of each bucket's step. */
  ends: readonly number[]
  /** Of the ratings 1 to 5. */
  ratings: PaneScale
  percents: PercentScale
  percentScale: PaneScale
  trend: { ticks: number[]; scale: PaneScale }
  rated: readonly PlacedDot[]
  predicted: readonly PlacedDot[]
  annotations: readonly Annotation[]
  /** Where what was ends, in pixels from the left; null where nothing beyond it is drawn. */
  now: number | null
  /** The word at the hairline between what was and what is to come; null where there is no such line. */
  edge: Annotation | null
}

type Drawn = Pick<
  TimePanesProps,
  'points' | 'bucket' | 'bucketSeconds' | 'dots' | 'pending' | 'moves' | 'trend' | 'edge'
> & {
  width: number
  /** Of the pane of the consensus, in pixels. */
  height?: number
}

/** Works out once for all panes where everything stands. */
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
    annotations,
    now,
    edge,
  }
}

/** Around the edges is room for the ticks. */
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

/** Steps go to the end of their bucket; the last one to the instant that it was looked at, where that is known. */
function toEnds({ edges }: PaneFrame, pending: readonly PendingPoint[]): number[] {
  const ends = edges.slice(1)
  const [start, end, now] = [edges.at(-2) ?? 0, edges.at(-1) ?? 0, pending[0]?.t]
  if (now !== undefined && now > start && now < end) ends[ends.length - 1] = now
  return ends
}

type Placing = {
  frame: PaneFrame
  ratings: PaneScale
  /** The consensus of each bucket, in pixels from the pane's top. */
  values: readonly (number | null)[]
}

/** Of a letter, 10 px high; what stays free beside the word and its line; half of what it is high. */
const EDGE_LETTER = 5.5
const EDGE_GAP = 5
const EDGE_HALF = 7

/** Between the labels' lines nothing is drawn but the consensus: where the word stands, the lowest first. */
const LANES = [1.5, 2.5, 3.5, 4.5]

/** Behind its hairline, or before it where there is no room; in a lane that the line does not cross, if there is one. */
function toPlacedEdge(
  { edge: text, pending }: Drawn,
  { frame, ratings, values, now }: Placing & { now: number },
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

/** Texts stand above the foot of the lowest label's line. */
const ABOVE_FOOT = 10

/** Large moves with their texts near the line, within what is drawn of the past; none lies on the word at its end. */
function toPlacedMoves(
  { moves }: Drawn,
  { frame, ratings, values, now, edge }: Placing & { now: number | null; edge: Annotation | null },
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

/** The last value stands above the end of the line. */
export const LAST_ABOVE = 14

function toLastBox(frame: PaneFrame, values: Placing['values'], now: number | null): Box[] {
  const [x, y] = [now ?? frame.width - frame.right, values.at(-1) ?? null]
  return y === null ? [] : [{ left: x - 18, width: 36, y: y - LAST_ABOVE }]
}

function toReach(values: readonly (number | null)[]): { top: number; bottom: number } | null {
  const drawn = values.filter((value) => value !== null)
  return drawn.length === 0 ? null : { top: Math.min(...drawn), bottom: Math.max(...drawn) }
}

/** What panes are drawn from: at least where its instants stand. */
type Framed = { frame: PaneFrame }

/**
 * A drawing for one width, and the CSS class of where its texts are seen. Marks are stretched with the page, texts are
 * not: before the width is known there are some for a narrow page and some for a wide one.
 */
export type PaneView<D extends Framed = Drawing> = { drawing: D; className?: string }

/** At least one; the marks are those of the first. */
export type PaneViews<D extends Framed = Drawing> = readonly [PaneView<D>, ...PaneView<D>[]]

/** The drawing for a width; before it is known (0), one for the marks of any, and texts for a narrow and a wide one. */
export function toPaneViews<D extends Framed>(
  width: number,
  draw: (width: number) => D,
): PaneViews<D> {
  if (width > 0) return [{ drawing: draw(width) }]
  return [
    { drawing: draw(WIDE_WIDTH), className: WIDE_ONLY },
    { drawing: draw(NARROW_WIDTH), className: NARROW_ONLY },
  ]
}

/** Where something stands along the time axis (pixels) as a part of the plot, which holds at any width: `41.67%`. */
export const toShare = ({ left, right, width }: PaneFrame, x: number): string =>
  `${Math.round((10_000 * (x - left)) / (width - left - right)) / 100}%`

/** A single rating where it is drawn, in pixels from its pane's corner. */
export type PlacedDot = RatingDot & { x: number; y: number }

const JITTER = 8

/** Single ratings on the lines of their labels, each a little off it, so that no two hide each other. */
const toRatedDots = (dots: readonly RatingDot[], frame: PaneFrame, scale: PaneScale): PlacedDot[] =>
  dots.map((dot) => ({
    ...dot,
    x: toX(frame, dot.t),
    y: toY(scale, dot.rating) + JITTER * toJitter(dot.id),
  }))

/** Single ratings at their prediction; those beyond the scale are not among them, but counted at its edge. */
const toPredictedDots = (
  dots: readonly RatingDot[],
  frame: PaneFrame,
  scale: PaneScale,
): PlacedDot[] =>
  dots
    .filter((dot) => toClipped(dot.prediction, scale.domain[1]) === dot.prediction)
    .map((dot) => ({ ...dot, x: toX(frame, dot.t), y: toY(scale, dot.prediction) }))

/**
 * How far a single rating is moved off its line so that those posted at one time do not hide each other: from −1 to 1,
 * always the same for an id, and unlike for ids that follow one another.
 */
export function toJitter(id: number): number {
  const mixed = Math.imul(id ^ (id >>> 15), 0x2c1b3c6d)
  const spread = (mixed ^ (mixed >>> 13)) >>> 0
  return (spread / 0xffffffff) * 2 - 1
}

/** A text for a point of the line, in pixels, and a shorter one for where it finds no place. */
type Wanted = { x: number; y: number; text: string; short?: string | undefined }

/** A text with its place: `x` is the instant's, the box begins at `left` and is `width` wide, `y` is its middle; `tip` is the point of the line. */
export type Annotation = Box & { x: number; text: string; tip: number }

/** What a text takes: its middle is at `y`. */
type Box = { left: number; width: number; y: number }

type Room = {
  /** The first and the last pixel that a label may cover. */
  left: number
  right: number
  top: number
  bottom: number
  /** Texts that stand there already, and do not give way. */
  taken?: readonly Box[]
  /** How high and how low the line goes between two places, in pixels from the top; null where there is none. */
  reachOf: (left: number, right: number) => { top: number; bottom: number } | null
}

const MOST = 3
const GAP = 6
const PADDING = 6
const HALF_HEIGHT = 8
/** Labels that give way to others stand in rows so far apart. */
const ROW = 2 * HALF_HEIGHT + 4
/** Of the text's size, 11 px; a little more than it takes, so that no label is narrower than its text. */
const LETTER_WIDTH = 6

/**
 * Places for the first of the annotations, at most three: beside their instant, as near to their point as the line and the
 * others leave room, within the drawing. Where the line leaves none at all, at the foot or the head. The instants of others
 * are not covered where that can be had. One that has no place is left out.
 */
export function toAnnotations(wanted: readonly Wanted[], room: Room): Annotation[] {
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

/** Where a label may stand, the best first: on either side of its instant, above the line or below. */
function toBoxes(
  { x, y, width }: Omit<Wanted, 'text'> & { width: number },
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
