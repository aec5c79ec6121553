import { memo } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { ratingLabel } from '#lib/contract/rating-codes.ts'
import { GridLines, TimeTexts, ValueTexts } from './axis-texts.tsx'
import { RATINGS } from './density.ts'
import { Landmarks } from './landmarks.tsx'
import { PANE_HEIGHTS } from './pane-sizes.ts'
import { PaneTitle } from './pane-title.tsx'
import type { PaneViews } from './pane-view.ts'
import { PlotPane } from './plot-pane.tsx'
import { BarTexts, StackedBars } from './stacked-bars.tsx'
import type { TimePoint, TrendUnit } from './time-point.ts'

type TrendPaneProps = {
  views: PaneViews
  points: readonly TimePoint[]
  unit: TrendUnit
  bucket: string
}

/** Where there is no room for all of it, the axis of the first pane has the same colours with their glyphs. */
const LEGEND = RATINGS.toReversed().map((rating) => ({
  mark: 'block' as const,
  label: ratingLabel(rating),
  colour: `var(--rating-${rating})`,
  isWide: true,
}))

/** The active set at each bucket's end, stacked by label, with its n above the bars. */
export const TrendPane = memo(function TrendPane(props: TrendPaneProps) {
  const { views, points, unit, bucket } = props
  const { frame, landmarks, trend } = views[0].drawing
  const { ticks, scale } = trend
  const { formatCount, formatShare } = useFormats()
  return (
    <div data-pane="trend">
      <PaneTitle
        legend={LEGEND}
        title={`Active ratings by label, each ${bucket}${unit === 'percent' ? ', in percent of n' : ''}`}
      />
      <PlotPane
        axis={
          <ValueTexts
            format={unit === 'percent' ? formatShare : formatCount}
            scale={scale}
            ticks={ticks}
          />
        }
        height={PANE_HEIGHTS.trend}
        texts={(drawing) => (
          <>
            <TimeTexts frame={drawing.frame} height={PANE_HEIGHTS.trend} />
            <BarTexts frame={drawing.frame} points={points} scale={scale} unit={unit} />
          </>
        )}
        views={views}
      >
        <GridLines frame={frame} scale={scale} ticks={ticks} />
        <Landmarks {...landmarks} bottom={scale.low} top={0} />
        <StackedBars frame={frame} points={points} scale={scale} unit={unit} />
      </PlotPane>
    </div>
  )
})
