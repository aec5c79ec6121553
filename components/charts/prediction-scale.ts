import { ENGLISH_FORMATS, type Formats } from '#components/format/formats.ts'
import { type PercentScale, toPercentScale } from './percent-scale.ts'
import type { TimePoint } from './time-point.ts'

/** The scale of the prediction pane, over everything that it draws. */
export const toPredictionScale = (points: readonly TimePoint[]): PercentScale =>
  toPercentScale(points.flatMap((point) => [point.activePrediction, point.postedPrediction]))

/** What is not drawn where it belongs, in words; null where everything is. */
export function toBeyondText(
  points: readonly TimePoint[],
  { formatCount, formatPrediction }: Formats = ENGLISH_FORMATS,
): string | null {
  const { bound, beyond } = toPredictionScale(points)
  if (beyond === 0) return null
  const which = beyond === 1 ? '1 mean lies' : `${formatCount(beyond)} means lie`
  const marked = beyond === 1 ? 'is' : 'are'
  return `${which} beyond ±${formatPrediction(String(bound)).slice(1)} and ${marked} marked at the edge.`
}
