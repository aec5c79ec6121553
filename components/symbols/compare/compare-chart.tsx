'use client'

import { useCallback, useMemo } from 'react'
import type { PaneFrame } from '#components/charts/chart-data.ts'
import { ChartReader, type CrosshairPane } from '#components/charts/chart-reader.tsx'
import { COMPARE_HEIGHT, COMPARED_ATTENTION_HEIGHT } from '#components/charts/chart-sizes.ts'
import { LazyDrawing, lazyDrawing } from '#components/charts/lazy-drawing.tsx'
import { PanesBox } from '#components/charts/panes-box.tsx'
import { toY } from '#components/charts/scales.ts'
import { toTimeFrame } from '#components/charts/time-axis.ts'
import { useWidth } from '#components/charts/use-width.ts'
import { lineStyle, type PlacedLines, toAsked, toPlaced } from './compare-layout.ts'
import type { ComparedLine } from './comparison.ts'

type CompareChartProps = {
  /** At least one, each with at least one point. */
  lines: readonly ComparedLine[]
  bucket: string
  bucketSeconds: number
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
  const { lines, attention } = props
  const [ref, width] = useWidth()
  const draw = useDraw(props)
  const drawing = useMemo(() => (width > 0 ? draw(width) : null), [draw, width])
  const placed = useMemo(() => toPlaced(lines), [lines])
  const asked = useMemo(() => (attention ? toAsked(attention) : null), [attention])
  return (
    <PanesBox
      box={ref}
      height={attention === undefined ? COMPARE_HEIGHT : COMPARE_HEIGHT + COMPARED_ATTENTION_HEIGHT}
      reader={drawing && <Reader {...props} asked={asked} frame={drawing.frame} placed={placed} />}
      width={width}
    >
      <LazyDrawing drawing={comparePanes} drawn={{ drawing, draw, placed, asked }} of={placed} />
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

type Name = 'consensus' | 'attention'

type ReaderProps = CompareChartProps & {
  placed: PlacedLines
  asked: PlacedLines | null
  frame: PaneFrame
}

function Reader({ placed, asked, frame, toWhen, onZoom }: ReaderProps) {
  return (
    <ChartReader
      describe={(index) => {
        const t = placed.lines[0]?.points[index]?.t
        return {
          when: t === undefined ? '' : toWhen(t),
          consensus: toReadings(placed, index),
          attention: toReadings(asked, index),
        }
      }}
      frame={frame}
      label="Consensus compared"
      onZoom={onZoom}
      panes={[
        toReaderPane('consensus', placed),
        ...(asked ? [toReaderPane('attention', asked)] : []),
      ]}
    />
  )
}

const toReadings = (pane: PlacedLines | null, index: number) =>
  (pane?.lines ?? []).map(({ name, points }) => ({ name, text: points[index]?.text ?? '' }))

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
