'use client'

import { symbolDiamond2, symbolTimes } from 'd3-shape'
import { memo, useMemo } from 'react'
import { Layer, Symbols, type SymbolsProps } from 'recharts'
import { GridLines, RatingAxis, TimeTexts, ValueTexts, ZeroLine } from '#components/charts/axes.tsx'
import { isLone, type PaneFrame, type PointReading } from '#components/charts/chart-data.ts'
import { ChartReader, type CrosshairPane } from '#components/charts/chart-reader.tsx'
import {
  ATTENTION_HEIGHT,
  COMPARED_ATTENTION_HEIGHT,
  type CompareMode,
  SMALL_TITLE,
  toChartHeight,
  toPaneHeights,
} from '#components/charts/chart-sizes.ts'
import { type PaneViews, toPaneViews } from '#components/charts/layout.ts'
import { PanesBox, PaneTitle, PlotPane } from '#components/charts/pane.tsx'
import { type PaneScale, toCountScale, toPaneScale, toY } from '#components/charts/scales.ts'
import { StepLine } from '#components/charts/shapes.tsx'
import { toSides, toTimeFrame, toX } from '#components/charts/time-axis.ts'
import { useWidth } from '#components/charts/use-width.ts'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import {
  type ComparedLine,
  type CompareScale,
  toChangeBound,
  toConsensusText,
} from './comparison.ts'

type CompareChartProps = {
  /** At least one, each with at least one point. */
  lines: readonly ComparedLine[]
  bucket: string
  bucketSeconds: number
  mode: CompareMode
  scale: CompareScale
  toWhen: (t: number) => string
  /** Seconds since 1970, `to` is exclusive. Undefined disables zooming. */
  onZoom?: (range: { from: number; to: number }) => void
  /** Null reserves the pane; undefined omits it. */
  attention?: readonly ComparedLine[] | null
}

export function CompareChart(props: CompareChartProps) {
  const { lines, mode, scale, attention } = props
  const [ref, width] = useWidth()
  const views = useViews(props, width)
  const placed = useMemo(() => toPlaced(lines, mode, scale), [lines, mode, scale])
  const asked = useMemo(
    () => (attention ? toAsked(attention, toChartHeight(mode, lines.length)) : null),
    [attention, mode, lines.length],
  )
  const height = toChartHeight(mode, lines.length)
  return (
    <PanesBox
      box={ref}
      height={attention === undefined ? height : height + COMPARED_ATTENTION_HEIGHT}
      reader={<Reader {...props} asked={asked} placed={placed} views={views} />}
      width={width}
    >
      {placed.map((pane, index) => (
        <div key={NAMES[index]} data-pane>
          {mode === 'multiples' && <SmallTitle title={pane.lines[0]?.name ?? ''} />}
          <ComparedPane
            height={pane.height}
            lines={pane.lines}
            scale={pane.scale}
            showsTime={index === placed.length - 1}
            unit={scale}
            views={views}
          />
        </div>
      ))}
      {asked && (
        <div data-pane="attention">
          <SmallTitle title="Look-ups" />
          <ComparedPane
            height={asked.height}
            lines={asked.lines}
            scale={asked.scale}
            showsTime
            unit="look-ups"
            views={views}
          />
        </div>
      )}
    </PanesBox>
  )
}

function useViews({ lines, bucket, bucketSeconds }: CompareChartProps, width: number) {
  return useMemo((): ComparedViews => {
    const starts = (lines[0]?.points ?? []).map((point) => point.t)
    return toPaneViews(width, (wide) => ({
      frame: toTimeFrame({ starts, bucket, bucketSeconds, width: wide }),
    }))
  }, [lines, bucket, bucketSeconds, width])
}

type PlacedLines = { lines: readonly ComparedLine[]; top: number; height: number; scale: PaneScale }

const NAMES = ['pane0', 'pane1', 'pane2', 'pane3', 'pane4', 'pane5'] as const
type Name = (typeof NAMES)[number] | 'attention'

type ReaderProps = CompareChartProps & {
  placed: readonly PlacedLines[]
  asked: PlacedLines | null
  views: ComparedViews
}

function Reader({ placed, asked, views, scale, toWhen, onZoom }: ReaderProps) {
  return (
    <ChartReader
      describe={(index) => ({
        ...toReading(placed, index, toWhen),
        attention: toReadings(asked, index),
      })}
      frame={views[0].drawing.frame}
      label={scale === 'rating' ? 'Consensus compared' : 'Change of consensus compared'}
      onZoom={onZoom}
      panes={[...toReaderPanes(placed), ...(asked ? [toReaderPane('attention', asked)] : [])]}
    />
  )
}

function toPlaced(
  lines: readonly ComparedLine[],
  mode: CompareMode,
  scale: CompareScale,
): PlacedLines[] {
  const bound = toChangeBound(lines)
  const domain = scale === 'rating' ? ([1, 5] as const) : ([-bound, bound] as const)
  const heights = toPaneHeights(mode, lines.length)
  let next = 0
  return heights.map((height, index) => {
    const top = next + (mode === 'multiples' ? SMALL_TITLE : 0)
    next = top + height
    const showsTime = index === heights.length - 1
    return {
      lines: mode === 'overlay' ? lines : lines.slice(index, index + 1),
      top,
      height,
      scale: toPaneScale({ height, domain, padding: { top: 8, bottom: 8 }, showsTime }),
    }
  })
}

const SmallTitle = ({ title }: { title: string }) => (
  <div style={{ height: SMALL_TITLE }}>
    <PaneTitle legend={[]} title={title} />
  </div>
)

function toAsked(lines: readonly ComparedLine[], above: number): PlacedLines {
  const counts = lines.flatMap(({ points }) => points.map(({ value }) => value ?? 0))
  const domain = [0, toCountScale(counts).bound] as const
  const shape = { height: ATTENTION_HEIGHT, padding: { top: 6, bottom: 0 }, showsTime: true }
  return {
    lines,
    top: above + SMALL_TITLE,
    height: ATTENTION_HEIGHT,
    scale: toPaneScale({ ...shape, domain }),
  }
}

const toReadings = (pane: PlacedLines | null | undefined, index: number) =>
  (pane?.lines ?? []).map(({ name, points }) => ({ name, text: points[index]?.text ?? '' }))

function toReading(
  placed: readonly PlacedLines[],
  index: number,
  toWhen: (t: number) => string,
): PointReading<(typeof NAMES)[number]> {
  const t = placed[0]?.lines[0]?.points[index]?.t
  const [pane0, pane1, pane2, pane3, pane4, pane5] = NAMES.map((_, at) =>
    toReadings(placed[at], index),
  )
  return {
    when: t === undefined ? '' : toWhen(t),
    pane0: pane0 ?? [],
    pane1: pane1 ?? [],
    pane2: pane2 ?? [],
    pane3: pane3 ?? [],
    pane4: pane4 ?? [],
    pane5: pane5 ?? [],
  }
}

const toReaderPanes = (placed: readonly PlacedLines[]): CrosshairPane<Name>[] =>
  placed.flatMap((pane, at) => {
    const name = NAMES[at]
    return name ? [toReaderPane(name, pane)] : []
  })

const toReaderPane = (
  name: Name,
  { lines, top, height, scale }: PlacedLines,
): CrosshairPane<Name> => ({
  name,
  top,
  height,
  subject: name === 'attention' ? 'Look-ups' : 'Consensus',
  toMarks: (index: number) =>
    lines.flatMap(({ points, place }) => {
      const value = points[index]?.value ?? null
      return value === null ? [] : { y: toY(scale, value), colour: lineStyle(place).colour }
    }),
})

type LineShape = 'dot' | 'square' | 'triangle' | 'diamond' | 'cross' | 'ring'

type LineStyle = { colour: string; dashes: string | undefined; shape: LineShape }

const LINE_STYLES: readonly LineStyle[] = [
  { colour: 'var(--compared-1)', dashes: undefined, shape: 'dot' },
  { colour: 'var(--compared-2)', dashes: '7 3', shape: 'square' },
  { colour: 'var(--compared-3)', dashes: '2 2.5', shape: 'triangle' },
  { colour: 'var(--compared-4)', dashes: '10 3 2 3', shape: 'diamond' },
  { colour: 'var(--compared-5)', dashes: '4 3', shape: 'cross' },
  { colour: 'var(--compared-6)', dashes: '12 4', shape: 'ring' },
]

const FIRST: LineStyle = { colour: 'var(--compared-1)', dashes: undefined, shape: 'dot' }

export const lineStyle = (place: number): LineStyle =>
  LINE_STYLES[place % LINE_STYLES.length] ?? FIRST

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

export const LineMark = ({ place, x, y }: { place: number; x: number; y: number }) => {
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

type ComparedViews = PaneViews<{ frame: PaneFrame }>

type ComparedPaneProps = {
  views: ComparedViews
  lines: readonly ComparedLine[]
  scale: PaneScale
  unit: Unit
  height: number
  showsTime: boolean
}

type Unit = CompareScale | 'look-ups'

const RATINGS = [1, 2, 3, 4, 5]

const ComparedPane = memo(function ComparedPane(props: ComparedPaneProps) {
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
            format={(value) => toTickText(value, unit, formats)}
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
      {unit === 'change' && <ZeroLine frame={frame} y={Math.round(toY(scale, 0)) + 0.5} />}
      {lines.map(({ key, place, points }) => (
        <StepLine
          key={key}
          ends={frame.edges.slice(1)}
          frame={frame}
          look={toStroke(place, unit)}
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

const toTickText = (value: number, unit: Unit, formats: Formats): string =>
  unit === 'look-ups'
    ? formats.formatCount(value)
    : toConsensusText(Math.round(value * 10_000), 'change', formats)

function toTicks({ domain: [, bound] }: PaneScale, unit: Unit): readonly number[] {
  if (unit === 'look-ups') return toCountScale([bound]).ticks
  return unit === 'rating' ? RATINGS : [-bound, -bound / 2, 0, bound / 2, bound]
}

function toStroke(place: number, unit: Unit) {
  const { colour, dashes } = lineStyle(place)
  return {
    name: unit === 'look-ups' ? unit : 'compared',
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
