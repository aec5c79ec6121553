'use client'

import { useCallback, useMemo } from 'react'
import type { PaneFrame, PointReading } from '#components/charts/chart-data.ts'
import { ChartReader, type CrosshairPane } from '#components/charts/chart-reader.tsx'
import { type CompareMode, toChartHeight } from '#components/charts/chart-sizes.ts'
import { LazyDrawing, lazyDrawing } from '#components/charts/lazy-drawing.tsx'
import { PanesBox } from '#components/charts/panes-box.tsx'
import { toY } from '#components/charts/scales.ts'
import { toTimeFrame } from '#components/charts/time-axis.ts'
import { useWidth } from '#components/charts/use-width.ts'
import { lineStyle, type PlacedLines, toPlaced } from './compare-layout.ts'
import type { ComparedLine, CompareScale } from './comparison.ts'

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
}

const comparePanes = lazyDrawing(
  async () => (await import('./compare-drawing.tsx')).ComparePanes,
  'The chart',
)

export function CompareChart(props: CompareChartProps) {
  const { lines, mode, scale } = props
  const [ref, width] = useWidth()
  const draw = useDraw(props)
  const drawing = useMemo(() => (width > 0 ? draw(width) : null), [draw, width])
  const placed = useMemo(() => toPlaced(lines, mode, scale), [lines, mode, scale])
  return (
    <PanesBox
      box={ref}
      height={toChartHeight(mode, lines.length)}
      reader={drawing && <Reader {...props} frame={drawing.frame} placed={placed} />}
      width={width}
    >
      <LazyDrawing
        drawing={comparePanes}
        drawn={{ drawing, draw, placed, mode, unit: scale }}
        of={placed}
      />
    </PanesBox>
  )
}

function useDraw({ lines, bucket, bucketSeconds }: CompareChartProps) {
  return useCallback(
    (width: number) => {
      const starts = (lines[0]?.points ?? []).map((point) => point.t)
      return { frame: toTimeFrame({ starts, bucket, bucketSeconds, width }) }
    },
    [lines, bucket, bucketSeconds],
  )
}

const NAMES = ['pane0', 'pane1', 'pane2', 'pane3', 'pane4', 'pane5'] as const
type Name = (typeof NAMES)[number]

type ReaderProps = CompareChartProps & {
  placed: readonly PlacedLines[]
  frame: PaneFrame
}

function Reader({ placed, frame, scale, toWhen, onZoom }: ReaderProps) {
  return (
    <ChartReader
      describe={(index) => toReading(placed, index, toWhen)}
      frame={frame}
      label={scale === 'rating' ? 'Consensus compared' : 'Change of consensus compared'}
      onZoom={onZoom}
      panes={toReaderPanes(placed)}
    />
  )
}

const toReadings = (pane: PlacedLines | undefined, index: number) =>
  (pane?.lines ?? []).map(({ name, points }) => ({ name, text: points[index]?.text ?? '' }))

function toReading(
  placed: readonly PlacedLines[],
  index: number,
  toWhen: (t: number) => string,
): PointReading<Name> {
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
  subject: 'Consensus',
  toMarks: (index: number) =>
    lines.flatMap(({ points, place }) => {
      const value = points[index]?.value ?? null
      return value === null ? [] : { y: toY(scale, value), colour: lineStyle(place).colour }
    }),
})
