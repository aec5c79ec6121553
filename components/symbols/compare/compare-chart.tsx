'use client'

import { useCallback, useMemo } from 'react'
import type { PaneFrame } from '#components/charts/chart-data.ts'
import { ChartReader, type CrosshairPane } from '#components/charts/chart-reader.tsx'
import { COMPARE_HEIGHT } from '#components/charts/chart-sizes.ts'
import { LazyDrawing, lazyDrawing } from '#components/charts/lazy-drawing.tsx'
import { PanesBox } from '#components/charts/panes-box.tsx'
import { toY } from '#components/charts/scales.ts'
import { toTimeFrame } from '#components/charts/time-axis.ts'
import { useWidth } from '#components/charts/use-width.ts'
import { lineStyle, type PlacedLines, toPlaced } from './compare-layout.ts'
import type { ComparedLine } from './comparison.ts'

type CompareChartProps = {
  /** At least one, each with at least one point. */
  lines: readonly ComparedLine[]
  bucket: string
  bucketSeconds: number
  toWhen: (t: number) => string
  /** Seconds since 1970, `to` is exclusive. Undefined disables zooming. */
  onZoom?: (range: { from: number; to: number }) => void
}

const comparePanes = lazyDrawing(
  async () => (await import('./compare-drawing.tsx')).ComparePanes,
  'The chart',
)

export function CompareChart(props: CompareChartProps) {
  const { lines } = props
  const [ref, width] = useWidth()
  const draw = useDraw(props)
  const drawing = useMemo(() => (width > 0 ? draw(width) : null), [draw, width])
  const placed = useMemo(() => toPlaced(lines), [lines])
  return (
    <PanesBox
      box={ref}
      height={COMPARE_HEIGHT}
      reader={drawing && <Reader {...props} frame={drawing.frame} placed={placed} />}
      width={width}
    >
      <LazyDrawing drawing={comparePanes} drawn={{ drawing, draw, placed }} of={placed} />
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

type ReaderProps = CompareChartProps & {
  placed: PlacedLines
  frame: PaneFrame
}

function Reader({ placed, frame, toWhen, onZoom }: ReaderProps) {
  return (
    <ChartReader
      describe={(index) => {
        const t = placed.lines[0]?.points[index]?.t
        return {
          when: t === undefined ? '' : toWhen(t),
          consensus: toReadings(placed, index),
        }
      }}
      frame={frame}
      label="Consensus compared"
      onZoom={onZoom}
      panes={[toReaderPane(placed)]}
    />
  )
}

const toReadings = ({ lines }: PlacedLines, index: number) =>
  lines.map(({ name, points }) => ({ name, text: points[index]?.text ?? '' }))

const toReaderPane = ({ lines, height, scale }: PlacedLines): CrosshairPane<'consensus'> => ({
  name: 'consensus',
  top: 0,
  height,
  subject: 'Consensus',
  toMarks: (index: number) =>
    lines.flatMap(({ points, place }) => {
      const value = points[index]?.value ?? null
      return value === null ? [] : { y: toY(scale, value), colour: lineStyle(place).colour }
    }),
})
