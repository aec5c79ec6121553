'use client'

import { useCallback, useMemo } from 'react'
import type { PaneFrame, PointReading } from '#components/charts/chart-data.ts'
import { ChartReader, type CrosshairPane } from '#components/charts/chart-reader.tsx'
import {
  COMPARED_ATTENTION_HEIGHT,
  type CompareMode,
  toChartHeight,
} from '#components/charts/chart-sizes.ts'
import { LazyDrawing, lazyDrawing } from '#components/charts/lazy-drawing.tsx'
import { PanesBox } from '#components/charts/panes-box.tsx'
import { toY } from '#components/charts/scales.ts'
import { toTimeFrame } from '#components/charts/time-axis.ts'
import { useWidth } from '#components/charts/use-width.ts'
import { lineStyle, type PlacedLines, toAsked, toPlaced } from './compare-layout.ts'
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
  /** Null reserves the pane; undefined omits it. */
  attention?: readonly ComparedLine[] | null
}

const comparePanes = lazyDrawing(
  async () => (await import('./compare-drawing.tsx')).ComparePanes,
  'The chart',
)

export function CompareChart(props: CompareChartProps) {
  const { lines, mode, scale, attention } = props
  const [ref, width] = useWidth()
  const draw = useDraw(props)
  const drawing = useMemo(() => (width > 0 ? draw(width) : null), [draw, width])
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
      reader={drawing && <Reader {...props} asked={asked} frame={drawing.frame} placed={placed} />}
      width={width}
    >
      <LazyDrawing
        drawing={comparePanes}
        drawn={{ drawing, draw, placed, asked, mode, unit: scale }}
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
type Name = (typeof NAMES)[number] | 'attention'

type ReaderProps = CompareChartProps & {
  placed: readonly PlacedLines[]
  asked: PlacedLines | null
  frame: PaneFrame
}

function Reader({ placed, asked, frame, scale, toWhen, onZoom }: ReaderProps) {
  return (
    <ChartReader
      describe={(index) => ({
        ...toReading(placed, index, toWhen),
        attention: toReadings(asked, index),
      })}
      frame={frame}
      label={scale === 'rating' ? 'Consensus compared' : 'Change of consensus compared'}
      onZoom={onZoom}
      panes={[...toReaderPanes(placed), ...(asked ? [toReaderPane('attention', asked)] : [])]}
    />
  )
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
