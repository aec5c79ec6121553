import { type PercentScale, toPercentScale, toPercentTick } from './percent-scale.ts'
import type { TimePoint } from './time-point.ts'

/** The scale of the prediction pane, over everything that it draws. */
export const toPredictionScale = (points: readonly TimePoint[]): PercentScale =>
  toPercentScale(points.flatMap((point) => [point.activePrediction, point.postedPrediction]))

/** What is not drawn where it belongs, in words; null where everything is. */
export function toBeyondText(points: readonly TimePoint[]): string | null {
  const { bound, beyond } = toPredictionScale(points)
  if (beyond === 0) return null
  const which = beyond === 1 ? '1 mean lies' : `${beyond} means lie`
  const marked = beyond === 1 ? 'is' : 'are'
  return `${which} beyond ±${toPercentTick(bound).slice(1)} and ${marked} marked at the edge.`
}
