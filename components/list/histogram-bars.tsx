'use client'

import { memo, type ReactNode, type RefObject, useEffect, useState } from 'react'
import { ratingStyle } from '#components/marks/rating-marks.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { isWhole, type Shares, toSpanStyles } from './shares.ts'

type SpanBarsProps = {
  track: RefObject<HTMLDivElement | null>
  bars: readonly StackBar[]
  /** What the filter leaves; all of it where it is none or no span. */
  chosen: Shares
  heightPx: number
  /** Where the ends of the span show: over the bars, on a rail below them, or not at all. */
  ends?: 'lines' | 'rail'
  /** Paints over what is not chosen: the ground that the bars stand on. */
  veil?: string
  className?: string
  /** What makes the bars a filter. It comes later, and takes no room. */
  children?: ReactNode
}

/** Bars and the span of them that is chosen: all there is to see, as the server draws it. */
export function SpanBars({ track, bars, chosen, heightPx, ends, ...look }: SpanBarsProps) {
  const styles = toSpanStyles(chosen)
  // All is chosen, and nobody can choose otherwise yet: there is nothing to see of it.
  const isPlain = isWhole(chosen) && !look.children
  const veil = `pointer-events-none absolute inset-0 ${look.veil ?? 'bg-surface/70'}`
  const window = !isPlain && <span data-span="window" className={WINDOW} style={styles.window} />
  return (
    <div
      ref={track}
      className={classNames('group/span relative cursor-crosshair select-none', look.className)}
    >
      <div className="relative" style={{ height: heightPx }}>
        {ends === 'lines' && window}
        <BarStack bars={bars} heightPx={heightPx} />
        {!isPlain && (
          <>
            <span data-span="before" className={`${veil} origin-left`} style={styles.before} />
            <span data-span="after" className={`${veil} origin-right`} style={styles.after} />
          </>
        )}
        {ends === 'lines' &&
          !isPlain &&
          ENDS.map((end) => (
            <span
              key={end}
              data-span={end}
              className={classNames('span-line', isWhole(chosen) && RESTING)}
              style={styles[end]}
            />
          ))}
      </div>
      {ends === 'rail' && (
        <div data-span="rail" className="span-rail">
          <span>{window}</span>
          {ENDS.map((end) => (
            <span key={end} data-span={end} className="span-knob" style={styles[end]} />
          ))}
        </div>
      )}
      {look.children}
    </div>
  )
}

/** Nothing is chosen: an end shows when somebody looks for it. */
const RESTING = 'span-line-resting group-hover/span:opacity-60 pointer-coarse:opacity-40'

const ENDS = ['begin', 'end'] as const

const WINDOW = 'span-window pointer-events-none absolute inset-x-0 bottom-0 origin-left'

/** What is drawn of a bar. `ratings` are its layers, from the bottom up; without them it is of one colour, `fill`. */
export type StackBar = {
  count: number
  ratings?: readonly { value: number; count: number }[]
  fill?: string
  /** It is taken out by something else than a span along the bars, which shows itself. */
  isFaded?: boolean
}

/** A bar's place and the bar, in units of the drawing: all its numbers are whole, and short. */
const PLACE = 50
const WIDTH = 44
/** What is not empty can be seen. */
const LEAST_PX = 2
/** Where there is room, a pixel is left between one layer and the next. */
const ROOM_PX = 4

type BarStackProps = { bars: readonly StackBar[]; heightPx: number }

/** Bars of equal width over the whole of what they stand in, their layers one above the other: one path a colour. */
const BarStack = memo(function BarStack({ bars, heightPx }: BarStackProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${PLACE * Math.max(bars.length, 1)} ${heightPx}`}
      preserveAspectRatio="none"
      className="bar-stack"
      shapeRendering="crispEdges"
    >
      {[...toPaths(bars, heightPx)].map(([fill, { d }]) => (
        <path key={fill} d={d} className={fill} />
      ))}
    </svg>
  )
})

/** A path as far as it is written, and where it ends. */
type Path = { d: string; x: number; y: number }

/**
 * Paths by their classes. Each bar is written from where the one before it ends. In whole pixels, rounded at each edge,
 * so that the layers are as high as their bar.
 */
function toPaths(bars: readonly StackBar[], heightPx: number): Map<string, Path> {
  const paths = new Map<string, Path>()
  const most = Math.max(1, ...bars.map(({ count }) => count))
  bars.forEach(({ count, ratings, fill = 'rating-fill-4', isFaded }, index) => {
    if (count === 0) return
    const high = Math.max(Math.round((count / most) * heightPx), LEAST_PX)
    const x = PLACE * index + (PLACE - WIDTH) / 2
    let [sum, from] = [0, 0]
    for (const layer of ratings ?? [{ value: null, count }]) {
      sum += layer.count
      const to = Math.round((sum / count) * high)
      const gap = to - from >= ROOM_PX && to < high ? 1 : 0
      const look = layer.value === null ? fill : ratingStyle(layer.value).fill
      const key = isFaded ? `${look} opacity-30` : look
      if (to > from) {
        const y = heightPx - from
        const last = paths.get(key) ?? { d: 'M0 0', x: 0, y: 0 }
        const bar = `m${x - last.x} ${y - last.y}v${from - to + gap}h${WIDTH}v${to - from - gap}`
        paths.set(key, { d: last.d + bar, x: x + WIDTH, y })
      }
      from = to
    }
  })
  return paths
}

/** What only works once the page stands, loaded then. Where it cannot be, what is there can be read still. */
export function useLater<T>(load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<T>()
  useEffect(() => {
    load().then(
      (value) => setLoaded(() => value),
      () => undefined,
    )
  }, [load])
  return loaded
}
