import { symbolDiamond2, symbolTimes } from 'd3-shape'
import { memo, useMemo } from 'react'
import { Curve, Layer, Surface, Symbols, type SymbolsProps } from 'recharts'
import { GridLines, RatingAxis, TimeTexts } from '#components/charts/axes.tsx'
import { isLone, type PaneFrame, RATINGS } from '#components/charts/chart-data.ts'
import { type PaneViews, toPaneViews } from '#components/charts/layout.ts'
import { PlotPane } from '#components/charts/pane.tsx'
import { type PaneScale, toY } from '#components/charts/scales.ts'
import { StepLine } from '#components/charts/shapes.tsx'
import { toSides, toX } from '#components/charts/time-axis.ts'
import { type LineShape, type LineStyle, lineStyle, type PlacedLines } from './compare-layout.ts'
import type { ComparedLine } from './comparison.ts'

type Framed = { frame: PaneFrame }

type ComparePanesProps = {
  /** Null until the width is known. */
  drawing: Framed | null
  draw: (width: number) => Framed
  placed: PlacedLines
}

export function ComparePanes({ drawing, draw, placed }: ComparePanesProps) {
  const views = useMemo(() => toPaneViews(drawing, draw), [drawing, draw])
  return (
    <div data-pane>
      <ComparedPane {...placed} views={views} />
    </div>
  )
}

/** Square pixels. */
const SYMBOLS: Readonly<Record<LineShape, { type: SymbolsProps['type']; size: number }>> = {
  dot: { type: 'circle', size: Math.PI * 3.5 ** 2 },
  square: { type: 'square', size: 36 },
  triangle: { type: 'triangle', size: 28 },
  diamond: { type: 'diamond', size: 51.6 },
  cross: { type: 'cross', size: 33.7 },
  ring: { type: 'circle', size: Math.PI * 3.5 ** 2 },
}

// Recharts has a narrow diamond and an outlined plus.
Symbols.registerSymbol('diamond', symbolDiamond2)
Symbols.registerSymbol('cross', symbolTimes)

const LineMark = ({ place, x, y }: { place: number; x: number; y: number }) => {
  const look = lineStyle(place)
  return (
    <Symbols
      {...SYMBOLS[look.shape]}
      className="forced-colors:[fill:Canvas] forced-colors:[stroke:CanvasText]"
      cx={Math.round(x * 10) / 10}
      cy={Math.round(y * 10) / 10}
      fill={toFill(look)}
      stroke={look.colour}
      strokeWidth={1.5}
    />
  )
}

const toFill = ({ shape, colour }: LineStyle): string =>
  shape === 'cross' ? 'none' : shape === 'ring' ? 'var(--surface)' : colour

type ComparedPaneProps = PlacedLines & { views: PaneViews<Framed> }

const ComparedPane = memo(function ComparedPane(props: ComparedPaneProps) {
  const { views, lines, scale, height } = props
  const { frame } = views[0].drawing
  return (
    <PlotPane
      axis={<RatingAxis scale={scale} />}
      height={height}
      texts={(drawing) => <TimeTexts {...drawing} height={height} />}
      views={views}
    >
      <GridLines frame={frame} scale={scale} ticks={RATINGS} />
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
      {/* Only once the width is known: stretched marks would lose their shape. */}
      {views.length === 1 &&
        lines.map((line) => <LineMarks key={line.key} frame={frame} line={line} scale={scale} />)}
    </PlotPane>
  )
})

function toStroke(place: number) {
  const { colour, dashes } = lineStyle(place)
  return {
    name: 'compared',
    colour,
    size: place === 0 ? 2 : 1.6,
    isInk: true,
    ...(dashes && { dashes }),
  }
}

type LineMarksProps = { line: ComparedLine; frame: PaneFrame; scale: PaneScale }

function LineMarks({ line, frame, scale }: LineMarksProps) {
  const places = toMarkPlaces(line, frame, scale)
  if (places.length === 0) return null
  return (
    <Layer>
      {places.map(({ x, y }) => (
        <LineMark key={x} place={line.place} x={x} y={y} />
      ))}
    </Layer>
  )
}

const MARK_GAP = 160
const MARKS_MAX = 5

function toMarkPlaces({ points, place }: ComparedLine, frame: PaneFrame, scale: PaneScale) {
  const values = points.map((point) => point.value)
  const last = values.findLastIndex((value) => value !== null)
  const marks = Math.max(1, Math.min(MARKS_MAX, Math.floor(frame.width / MARK_GAP)))
  // Staggered, so that overlapping lines do not hide each other's marks.
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

const SWATCH = [
  { x: 0, y: 6 },
  { x: 30, y: 6 },
]

export function LineSwatch({ place }: { place: number }) {
  const look = lineStyle(place)
  return (
    <Surface aria-hidden height={12} width={30}>
      <Curve
        className="forced-colors:[stroke:CanvasText]"
        points={SWATCH}
        stroke={look.colour}
        strokeWidth={2}
        {...(look.dashes && { strokeDasharray: look.dashes })}
      />
      <LineMark place={place} x={15} y={6} />
    </Surface>
  )
}
