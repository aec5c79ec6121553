import { formatDay } from '#components/format/instants.ts'
import type { Formats } from '#components/format/numbers.ts'
import { ratingLabel } from '#lib/contract/rating-codes.ts'
import { CONSENSUS_SCALE } from './consensus-scale.ts'
import type { CrosshairPane } from './crosshair.tsx'
import type { Drawing } from './drawing.ts'
import type { MarkToOpen } from './marks-to-open.ts'
import type { PaneName } from './pane-frame.ts'
import { toY } from './pane-scale.ts'
import { PANE_HEIGHTS, TITLE_HEIGHT } from './pane-sizes.ts'
import { toClipped } from './percent-scale.ts'
import type { PlacedDot } from './placed-dots.ts'
import type { TimePoint } from './time-point.ts'

const CONSENSUS_TOP = TITLE_HEIGHT
const PREDICTION_TOP = CONSENSUS_TOP + PANE_HEIGHTS.consensus + TITLE_HEIGHT
const TREND_TOP = PREDICTION_TOP + PANE_HEIGHTS.prediction + TITLE_HEIGHT

/** The panes as a crosshair goes through them, with a mark on each line that has a value. */
export function toReaderPanes(
  points: readonly TimePoint[],
  { percents, percentScale }: Drawing,
): CrosshairPane<PaneName>[] {
  return [
    {
      name: 'consensus',
      subject: 'Rating',
      top: CONSENSUS_TOP,
      height: PANE_HEIGHTS.consensus,
      toMarks: (index) => {
        const value = points[index]?.consensus ?? null
        return value === null ? [] : [{ y: toY(CONSENSUS_SCALE, value), colour: 'var(--ink)' }]
      },
    },
    {
      name: 'prediction',
      subject: 'Prediction',
      top: PREDICTION_TOP,
      height: PANE_HEIGHTS.prediction,
      toMarks: (index) => {
        const value = toClipped(points[index]?.median ?? null, percents.bound)
        return value === null ? [] : [{ y: toY(percentScale, value), colour: 'var(--ink)' }]
      },
    },
    {
      name: 'trend',
      subject: 'Active ratings',
      top: TREND_TOP,
      height: PANE_HEIGHTS.trend,
      toMarks: () => [],
    },
  ]
}

/** A prediction with the digits that it was given with, at least two behind the point. */
function toGivenText(prediction: number): string {
  const text = String(prediction)
  return (text.split('.')[1]?.length ?? 0) < 2 ? prediction.toFixed(2) : text
}

/** The single ratings as marks: `rated` in the order of time, `predicted` the same ones at their prediction. */
export function toMarksToOpen(
  { rated, predicted }: Drawing,
  formats: Formats,
): { rated: MarkToOpen[]; predicted: MarkToOpen[] } {
  const toMark = (dot: PlacedDot, top: number): MarkToOpen => ({
    id: dot.id,
    x: dot.x,
    y: dot.y + top,
    text: `${ratingLabel(dot.rating)}, ${formats.formatPrediction(toGivenText(dot.prediction))}, ${formatDay(dot.t)}`,
  })
  const byTime = rated.toSorted((a, b) => a.t - b.t || a.id - b.id)
  return {
    rated: byTime.map((dot) => toMark(dot, CONSENSUS_TOP)),
    predicted: predicted.map((dot) => toMark(dot, PREDICTION_TOP)),
  }
}
