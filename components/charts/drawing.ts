import { type Annotation, toAnnotations } from './annotations.ts'
import { CONSENSUS_SCALE } from './consensus-scale.ts'
import type { PaneFrame, TimePanesProps } from './pane-frame.ts'
import { PANE_TOP, type PaneScale, toPaneScale, toY } from './pane-scale.ts'
import { PANE_HEIGHTS } from './pane-sizes.ts'
import { type PlacedDot, toPredictedDots, toRatedDots } from './placed-dots.ts'
import { type PredictionScale, toPredictionScale } from './prediction-scale.ts'
import { toTrendScale } from './stack.ts'
import { toColumn, toTimeFrame, toX } from './time-frame.ts'
import type { PendingPoint } from './time-point.ts'

/** What a chart's panes are drawn from, for one width. Places are pixels from each pane's corner, `ends` seconds. */
export type Drawing = {
  frame: PaneFrame
  /** The end of each bucket's step. */
  ends: readonly number[]
  percents: PredictionScale
  percentScale: PaneScale
  trend: { ticks: number[]; scale: PaneScale }
  rated: readonly PlacedDot[]
  predicted: readonly PlacedDot[]
  annotations: readonly Annotation[]
  landmarks: Landmarks
}

/** The instants that all panes mark, in pixels from the left; `now` is null where nothing beyond it is drawn. */
export type Landmarks = { moves: readonly number[]; now: number | null }

type Drawn = Pick<
  TimePanesProps,
  'points' | 'bucket' | 'bucketSeconds' | 'dots' | 'pending' | 'moves' | 'trend'
> & { width: number }

/** Works out once for all panes where everything stands. */
export function toDrawing(drawn: Drawn): Drawing {
  const { points, bucket, bucketSeconds, dots, pending, width } = drawn
  const starts = points.map((point) => point.t)
  const isAhead = pending.length > 1
  const until = isAhead ? pending.at(-1)?.t : undefined
  const frame = toTimeFrame({ starts, bucket, bucketSeconds, width, until })
  const percents = toPredictionScale(points, dots)
  const percentScale = toPredictionPaneScale(percents.bound)
  const { bound, ticks } = toTrendScale(points, drawn.trend)
  const inRange = dots.filter(({ t }) => t >= frame.span[0] && t <= frame.span[1])
  const annotations = toPlacedMoves(drawn, frame)
  return {
    frame,
    ends: toEnds(frame, pending),
    percents,
    percentScale,
    trend: { ticks, scale: toTrendPaneScale(bound) },
    rated: toRatedDots(inRange, frame, CONSENSUS_SCALE),
    predicted: toPredictedDots(inRange, frame, percentScale),
    annotations,
    landmarks: {
      moves: annotations.map(({ x }) => x),
      now: isAhead && pending[0] ? toX(frame, pending[0].t) : null,
    },
  }
}

/** Around the edges is room for the ticks. */
const toPredictionPaneScale = (bound: number): PaneScale =>
  toPaneScale({
    height: PANE_HEIGHTS.prediction,
    domain: [-bound, bound],
    padding: { top: 6, bottom: 8 },
  })

/** Above the bars is room for their n. */
const toTrendPaneScale = (bound: number): PaneScale =>
  toPaneScale({
    height: PANE_HEIGHTS.trend,
    domain: [0, bound],
    padding: { top: 14, bottom: 0 },
    showsTime: true,
  })

/** Steps go to the end of their bucket; the last one to the instant that it was looked at, where that is known. */
function toEnds({ edges }: PaneFrame, pending: readonly PendingPoint[]): number[] {
  const ends = edges.slice(1)
  const [start, end, now] = [edges.at(-2) ?? 0, edges.at(-1) ?? 0, pending[0]?.t]
  if (now !== undefined && now > start && now < end) ends[ends.length - 1] = now
  return ends
}

/** Texts stand above the lowest label's lane: what is written of the instant at the edge has its place there. */
const ABOVE_FOOT = 10

/** Large moves with their texts near the line, within what is drawn of the past. */
function toPlacedMoves({ moves, points, pending }: Drawn, frame: PaneFrame): Annotation[] {
  const values = points.map(({ consensus }) =>
    consensus === null ? null : toY(CONSENSUS_SCALE, consensus),
  )
  const wanted = moves
    .filter(({ t }) => t >= frame.span[0] && t <= frame.span[1])
    .map(({ t, text }) => {
      const x = toX(frame, t)
      return { x, y: values[toColumn(frame, x)] ?? CONSENSUS_SCALE.low, text }
    })
  const now = pending.length > 1 ? pending[0]?.t : undefined
  return toAnnotations(wanted, {
    left: frame.left,
    right: now === undefined ? frame.width - frame.right : toX(frame, now),
    top: PANE_TOP,
    bottom: CONSENSUS_SCALE.low - ABOVE_FOOT,
    reachOf: (left, right) =>
      toReach(values.slice(toColumn(frame, left), toColumn(frame, right) + 1)),
  })
}

function toReach(values: readonly (number | null)[]): { top: number; bottom: number } | null {
  const drawn = values.filter((value) => value !== null)
  return drawn.length === 0 ? null : { top: Math.min(...drawn), bottom: Math.max(...drawn) }
}
