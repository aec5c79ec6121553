'use client'

import { useMemo } from 'react'
import { ChartReader } from '#components/charts/chart-reader.tsx'
import type { CrosshairPane } from '#components/charts/crosshair.tsx'
import type { PointReading } from '#components/charts/pane-frame.ts'
import { type PaneScale, toPaneScale, toY } from '#components/charts/pane-scale.ts'
import { PaneTitle } from '#components/charts/pane-title.tsx'
import { toPaneViews } from '#components/charts/pane-view.ts'
import { PanesBox } from '#components/charts/panes-box.tsx'
import { toTimeFrame } from '#components/charts/time-frame.ts'
import { useWidth } from '#components/charts/use-width.ts'
import { type CompareMode, SMALL_TITLE, toChartHeight, toPaneHeights } from './compare-sizes.ts'
import { type ComparedLine, type CompareScale, toChangeBound } from './compared-lines.ts'
import { ComparedPane, type ComparedViews } from './compared-pane.tsx'
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

/** The lines of several symbols on one time axis: in one pane, or each in its own. They come drawn with the page. */
export function CompareChart(props: CompareChartProps) {
  const { lines, mode, scale } = props
  const [ref, width] = useWidth()
  const views = useViews(props, width)
  const placed = useMemo(() => toPlaced(lines, mode, scale), [lines, mode, scale])
  return (
    <PanesBox
      box={ref}
      height={toChartHeight(mode, lines.length)}
      reader={<Reader {...props} placed={placed} views={views} />}
      width={width}
    >
      {placed.map((pane, index) => (
        <div key={NAMES[index]} data-pane>
          {mode === 'multiples' && <SmallTitle line={pane.lines[0]} />}
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

/** A pane with the lines in it, and where it stands; pixels from the top of the drawing. */
type Placed = { lines: readonly ComparedLine[]; top: number; height: number; scale: PaneScale }

/** The crosshair knows panes by a name: their place among those that can be. */
const NAMES = ['pane0', 'pane1', 'pane2', 'pane3', 'pane4', 'pane5'] as const
type Name = (typeof NAMES)[number]

type ReaderProps = CompareChartProps & { placed: readonly Placed[]; views: ComparedViews }

function Reader({ placed, views, scale, toWhen, onZoom }: ReaderProps) {
  return (
    <ChartReader
      describe={(index) => toReading(placed, index, toWhen)}
      frame={views[0].drawing.frame}
      label={scale === 'rating' ? 'Consensus compared' : 'Change of consensus compared'}
      onZoom={onZoom}
      panes={toReaderPanes(placed)}
    />
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

function SmallTitle({ line }: { line: ComparedLine | undefined }) {
  if (!line) return null
  return (
    <div style={{ height: SMALL_TITLE }}>
      <PaneTitle legend={[]} title={line.symbol} />
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
