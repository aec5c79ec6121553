'use client'

import { useMemo } from 'react'
import { ChartReader } from '#components/charts/chart-reader.tsx'
import type { CrosshairPane } from '#components/charts/crosshair.tsx'
import type { PaneFrame, PointReading } from '#components/charts/pane-frame.ts'
import { type PaneScale, toPaneScale, toY } from '#components/charts/pane-scale.ts'
import { PaneTitle } from '#components/charts/pane-title.tsx'
import { toTimeFrame } from '#components/charts/time-frame.ts'
import { useWidth } from '#components/charts/use-width.ts'
import { type CompareMode, SMALL_TITLE, toChartHeight, toPaneHeights } from './compare-sizes.ts'
import { type ComparedLine, type CompareScale, toChangeBound } from './compared-lines.ts'
import { ComparedPane } from './compared-pane.tsx'
import { lineLook } from './line-looks.ts'

export type CompareChartProps = {
  /** Those that are switched on, at least one, with at least one point. */
  lines: readonly ComparedLine[]
  bucket: string
  bucketSeconds: number
  mode: CompareMode
  scale: CompareScale
  /** A bucket by its first second, in words. */
  toWhen: (t: number) => string
  /** Whole buckets, `to` is exclusive; seconds since 1970. Left out, nothing can be zoomed. */
  onZoom?: (range: { from: number; to: number }) => void
}

/** The lines of several symbols on one time axis: in one pane, or each in its own. */
export function CompareChart(props: CompareChartProps) {
  const [ref, width] = useWidth()
  const height = toChartHeight(props.mode, props.lines.length)
  return (
    <div ref={ref} className="relative min-w-0 overflow-hidden" style={{ height }}>
      {width > 0 && <Panes {...props} width={width} />}
    </div>
  )
}

/** A pane with the lines in it, and where it stands; pixels from the top of the drawing. */
type Placed = { lines: readonly ComparedLine[]; top: number; height: number; scale: PaneScale }

/** The crosshair knows panes by a name: their place among those that can be. */
const NAMES = ['pane0', 'pane1', 'pane2', 'pane3', 'pane4', 'pane5'] as const
type Name = (typeof NAMES)[number]

function Panes({ width, ...props }: CompareChartProps & { width: number }) {
  const { lines, bucket, bucketSeconds, mode, scale, toWhen, onZoom } = props
  const frame = useMemo(() => {
    const starts = (lines[0]?.points ?? []).map((point) => point.t)
    return toTimeFrame({ starts, bucket, bucketSeconds, width })
  }, [lines, bucket, bucketSeconds, width])
  const placed = useMemo(() => toPlaced(lines, mode, scale), [lines, mode, scale])
  return (
    <>
      {placed.map((pane, index) => (
        <div key={NAMES[index]} data-pane>
          {mode === 'multiples' && <SmallTitle frame={frame} line={pane.lines[0]} />}
          <ComparedPane
            frame={frame}
            height={pane.height}
            lines={pane.lines}
            scale={pane.scale}
            showsTime={index === placed.length - 1}
            unit={scale}
          />
        </div>
      ))}
      <ChartReader
        describe={(index) => toReading(placed, index, toWhen)}
        frame={frame}
        label={scale === 'rating' ? 'Consensus compared' : 'Change of consensus compared'}
        onZoom={onZoom}
        panes={toReaderPanes(placed)}
      />
    </>
  )
}

function toPlaced(
  lines: readonly ComparedLine[],
  mode: CompareMode,
  scale: CompareScale,
): Placed[] {
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

function SmallTitle({ frame, line }: { frame: PaneFrame; line: ComparedLine | undefined }) {
  if (!line) return null
  return (
    <div style={{ height: SMALL_TITLE }}>
      <PaneTitle indent={frame.left} legend={[]} title={line.symbol} />
    </div>
  )
}

function toReading(
  placed: readonly Placed[],
  index: number,
  toWhen: (t: number) => string,
): PointReading<Name> {
  const t = placed[0]?.lines[0]?.points[index]?.t
  const readings = (pane: Placed | undefined) =>
    (pane?.lines ?? []).map(({ symbol, points }) => ({
      name: symbol,
      text: points[index]?.text ?? '',
    }))
  const [pane0, pane1, pane2, pane3, pane4, pane5] = NAMES.map((_, at) => readings(placed[at]))
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

function toReaderPanes(placed: readonly Placed[]): CrosshairPane<Name>[] {
  return placed.flatMap(({ lines, top, height, scale }, at) => {
    const name = NAMES[at]
    if (!name) return []
    return {
      name,
      subject: 'Consensus',
      top,
      height,
      toMarks: (index: number) =>
        lines.flatMap(({ points, place }) => {
          const value = points[index]?.value ?? null
          return value === null ? [] : { y: toY(scale, value), colour: lineLook(place).colour }
        }),
    }
  })
}
