import { toJitter } from './jitter.ts'
import type { PaneFrame } from './pane-frame.ts'
import { type PaneScale, toY } from './pane-scale.ts'
import { toClipped } from './percent-scale.ts'
import { toX } from './time-frame.ts'
import type { RatingDot } from './time-point.ts'

/** A single rating where it is drawn, in pixels from its pane's corner. */
export type PlacedDot = RatingDot & { x: number; y: number }

const JITTER = 8

/** Single ratings on the lines of their labels, each a little off it, so that no two hide each other. */
export const toRatedDots = (
  dots: readonly RatingDot[],
  frame: PaneFrame,
  scale: PaneScale,
): PlacedDot[] =>
  dots.map((dot) => ({
    ...dot,
    x: toX(frame, dot.t),
    y: toY(scale, dot.rating) + JITTER * toJitter(dot.id),
  }))

/** Single ratings at their prediction; those beyond the scale are not among them, but counted at its edge. */
export const toPredictedDots = (
  dots: readonly RatingDot[],
  frame: PaneFrame,
  scale: PaneScale,
): PlacedDot[] =>
  dots
    .filter((dot) => toClipped(dot.prediction, scale.domain[1]) === dot.prediction)
    .map((dot) => ({ ...dot, x: toX(frame, dot.t), y: toY(scale, dot.prediction) }))

/** The dot nearest to a place, if it is within reach (pixels). */
export function selectNearest(
  dots: readonly PlacedDot[],
  place: { x: number; y: number },
  reach: number,
): PlacedDot | null {
  const distance = (dot: PlacedDot) => Math.hypot(dot.x - place.x, dot.y - place.y)
  const nearest = dots.reduce<PlacedDot | null>(
    (best, dot) => (best === null || distance(dot) < distance(best) ? dot : best),
    null,
  )
  return nearest !== null && distance(nearest) <= reach ? nearest : null
}
