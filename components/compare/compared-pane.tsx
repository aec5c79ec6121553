import { memo } from 'react'
import { GridLines, TimeTexts, ValueTexts } from '#components/charts/axis-texts.tsx'
import type { PaneFrame } from '#components/charts/pane-frame.ts'
import { type PaneScale, toY } from '#components/charts/pane-scale.ts'
import type { PaneViews } from '#components/charts/pane-view.ts'
import { PlotPane } from '#components/charts/plot-pane.tsx'
import { RatingAxis } from '#components/charts/rating-axis.tsx'
import { StepLine } from '#components/charts/step-line.tsx'
import { toSides, toX } from '#components/charts/time-frame.ts'
import { isLone } from '#components/charts/time-point.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { type ComparedLine, type CompareScale, toText } from './compared-lines.ts'
import { lineLook, markFill, markPath } from './line-looks.ts'

/** Where a comparison's instants stand, for one width. */
export type ComparedViews = PaneViews<{ frame: PaneFrame }>

type ComparedPaneProps = {
  views: ComparedViews
  lines: readonly ComparedLine[]
  scale: PaneScale
  unit: CompareScale
  height: number
  showsTime: boolean
}

const RATINGS = [1, 2, 3, 4, 5]

/** One pane of a comparison: the lines of its symbols as steps, each with its colour, dashes and marks. */
export const ComparedPane = memo(function ComparedPane(props: ComparedPaneProps) {
  const { views, lines, scale, unit, height, showsTime } = props
  const { frame } = views[0].drawing
  const formats = useFormats()
  const isRating = unit === 'rating'
  const ticks = toTicks(scale, unit)
  return (
    <PlotPane
      axis={
        isRating ? (
          <RatingAxis scale={scale} />
        ) : (
          <ValueTexts
            format={(value) => toText(Math.round(value * 10_000), 'change', formats)}
            scale={scale}
            ticks={ticks}
          />
        )
      }
      height={height}
      {...(showsTime && { texts: (drawing) => <TimeTexts {...drawing} height={height} /> })}
      views={views}
    >
      <GridLines frame={frame} scale={scale} ticks={ticks} />
      {!isRating && (
        <path
          className="forced-colors:[stroke:CanvasText]"
          d={`M${frame.left} ${Math.round(toY(scale, 0)) + 0.5}H${frame.width - frame.right}`}
          stroke="var(--edge)"
        />
      )}
      {lines.map(({ key, place, points }) => (
        <StepLine
          key={key}
          ends={frame.edges.slice(1)}
          frame={frame}
          look={toStroke(place)}
          scale={scale}
          values={points.map(({ value }) => value)}
        />
      ))}
      {/* Stretched, they would lose their shapes. */}
      {views.length === 1 &&
        lines.map((line) => <LineMarks key={line.key} frame={frame} line={line} scale={scale} />)}
    </PlotPane>
  )
})

function toTicks({ domain: [, bound] }: PaneScale, unit: CompareScale): readonly number[] {
  return unit === 'rating' ? RATINGS : [-bound, -bound / 2, 0, bound / 2, bound]
}

function toStroke(place: number) {
  const { colour, dashes } = lineLook(place)
  return {
    name: 'compared',
    colour,
    size: place === 0 ? 2 : 1.6,
    isInk: true,
    ...(dashes && { dashes }),
  }
}

type LineMarksProps = { line: ComparedLine; frame: PaneFrame; scale: PaneScale }

/** A mark at the line's end, some along it, and one on each bucket that stands alone. */
function LineMarks({ line, frame, scale }: LineMarksProps) {
  const look = lineLook(line.place)
  const places = toMarkPlaces(line, frame, scale)
  if (places.length === 0) return null
  return (
    <path
      className="forced-colors:[fill:Canvas] forced-colors:[stroke:CanvasText]"
      d={places.map((place) => markPath(look.shape, place)).join('')}
      fill={markFill(look)}
      stroke={look.colour}
      strokeWidth={1.5}
    />
  )
}

/** So far apart a line's marks are, in pixels, and so many at most. */
const MARK_GAP = 160
const MARKS_MAX = 5

function toMarkPlaces({ points, place }: ComparedLine, frame: PaneFrame, scale: PaneScale) {
  const values = points.map((point) => point.value)
  const last = values.findLastIndex((value) => value !== null)
  const marks = Math.max(1, Math.min(MARKS_MAX, Math.floor(frame.width / MARK_GAP)))
  // Lines that run together would hide each other's marks: each has them elsewhere.
  const along = Array.from({ length: marks }, (_, nth) =>
    Math.floor(((nth + (place + 1) / 7) * points.length) / marks),
  )
  const lone = values.flatMap((_, index) => (isLone(values, index) ? [index] : []))
  const middles = [...new Set([...along, ...lone])].filter((index) => index !== last)
  const toPlace = (index: number, x: number) => {
    const value = values[index] ?? null
    return value === null ? [] : [{ x, y: toY(scale, value) }]
  }
  return [
    ...middles.flatMap((index) => {
      const [from, to] = toSides(frame, index)
      return toPlace(index, (from + to) / 2)
    }),
    ...toPlace(last, toX(frame, frame.edges[last + 1] ?? 0)),
  ]
}
