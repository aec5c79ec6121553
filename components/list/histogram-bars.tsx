'use client'

import { type ComponentProps, memo } from 'react'
import { ratingStyle } from '#components/marks/rating-marks.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { isWhole, type Shares, toSpanStyles } from './shares.ts'

type SpanBarsProps = ComponentProps<'div'> & {
  bars: readonly StackBar[]
  chosen: Shares
  heightPx: number
  ends?: 'lines' | 'rail' | undefined
  veil?: string | undefined
}

export function SpanBars(props: SpanBarsProps) {
  const { bars, chosen, heightPx, ends, veil, className, children, ...rest } = props
  const styles = toSpanStyles(chosen)
  const veiled = `pointer-events-none absolute inset-0 ${veil ?? 'bg-surface/70'}`
  const window = <span data-span="window" className={WINDOW} style={styles.window} />
  return (
    <div
      className={classNames('group/span relative cursor-crosshair select-none', className)}
      {...rest}
    >
      <div className="relative" style={{ height: heightPx }}>
        {ends === 'lines' && window}
        <BarStack bars={bars} heightPx={heightPx} />
        <span data-span="before" className={`${veiled} origin-left`} style={styles.before} />
        <span data-span="after" className={`${veiled} origin-right`} style={styles.after} />
        {ends === 'lines' &&
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
      {children}
    </div>
  )
}

const RESTING = 'span-line-resting group-hover/span:opacity-60 pointer-coarse:opacity-40'

const ENDS = ['begin', 'end'] as const

const WINDOW = 'span-window pointer-events-none absolute inset-x-0 bottom-0 origin-left'

export type StackBar = {
  count: number
  ratings?: readonly { value: number; count: number }[]
  fill?: string
  isFaded?: boolean
}

const PLACE = 50
const WIDTH = 44
const LEAST_PX = 2
const ROOM_PX = 4

type BarStackProps = { bars: readonly StackBar[]; heightPx: number }

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

type Path = { d: string; x: number; y: number }

/** Rounded at each edge, so that layers add up to their bar. */
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
