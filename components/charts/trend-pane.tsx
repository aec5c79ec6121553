'use client'

import { memo } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { ratingLabel } from '#lib/contract/rating-codes.ts'
import { RATINGS } from './density.ts'
import type { Drawing } from './drawing.ts'
import { Landmarks } from './landmarks.tsx'
import { isNarrow, PANE_HEIGHTS } from './pane-sizes.ts'
import { PaneTitle } from './pane-title.tsx'
import { StackedBars } from './stacked-bars.tsx'
import { TimePane } from './time-pane.tsx'
import type { TimePoint, TrendUnit } from './time-point.ts'

type TrendPaneProps = {
  drawing: Drawing
  points: readonly TimePoint[]
  unit: TrendUnit
  bucket: string
}

/** Where there is no room for all of it, the axis of the first pane has the same colours with their glyphs. */
const LEGEND = RATINGS.toReversed().map((rating) => ({
  mark: 'block' as const,
  label: ratingLabel(rating),
  colour: `var(--rating-${rating})`,
}))

/** The active set at each bucket's end, stacked by label, with its n above the bars. */
export const TrendPane = memo(function TrendPane(props: TrendPaneProps) {
  const { drawing, points, unit, bucket } = props
  const { frame, landmarks } = drawing
  const { ticks, scale } = drawing.trend
  const { formatCount, formatShare } = useFormats()
  return (
    <div data-pane="trend">
      <PaneTitle
        indent={frame.left}
        legend={isNarrow(frame.width) ? [] : LEGEND}
        title={`Active ratings by label, each ${bucket}${unit === 'percent' ? ', in percent of n' : ''}`}
      />
      <TimePane
        frame={frame}
        height={PANE_HEIGHTS.trend}
        scale={scale}
        showsTime
        format={unit === 'percent' ? formatShare : formatCount}
        ticks={ticks}
      >
        <Landmarks {...landmarks} bottom={scale.low} top={0} />
        <StackedBars frame={frame} points={points} scale={scale} unit={unit} />
      </TimePane>
    </div>
  )
})
