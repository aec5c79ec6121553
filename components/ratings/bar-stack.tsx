import { memo } from 'react'
import { ratingStyle } from '#components/marks/rating-marks.tsx'

/** What is drawn of a bar. `ratings` are its layers, from the bottom up; without them it is of one colour, `fill`. */
export type StackBar = {
  count: number
  ratings?: readonly { value: number; count: number }[]
  fill?: string
  /** It is taken out by something else than a span along the bars, which shows itself. */
  isFaded?: boolean
}

/** How much of its place a bar takes. */
const WIDTH = 0.88
/** What is not empty can be seen. */
const LEAST_PX = 2
/** Where there is room, a pixel is left between one layer and the next. */
const ROOM_PX = 4

type BarStackProps = { bars: readonly StackBar[]; heightPx: number }

/** Bars of equal width over the whole of what they stand in, their layers one above the other: one path a colour. */
export const BarStack = memo(function BarStack({ bars, heightPx }: BarStackProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${Math.max(bars.length, 1)} ${heightPx}`}
      preserveAspectRatio="none"
      className="pointer-events-none absolute inset-0 size-full forced-colors:[&_path]:outline-none"
      shapeRendering="crispEdges"
    >
      {[...toPaths(bars, heightPx)].map(([fill, d]) => (
        <path key={fill} d={d} className={fill} />
      ))}
    </svg>
  )
})

/** By their classes. In whole pixels, rounded at each edge, so that the layers are as high as their bar. */
function toPaths(bars: readonly StackBar[], heightPx: number): Map<string, string> {
  const paths = new Map<string, string>()
  const most = Math.max(1, ...bars.map(({ count }) => count))
  bars.forEach(({ count, ratings, fill = 'rating-fill-4', isFaded }, index) => {
    if (count === 0) return
    const high = Math.max(Math.round((count / most) * heightPx), LEAST_PX)
    const left = Math.round((index + (1 - WIDTH) / 2) * 100) / 100
    let [sum, from] = [0, 0]
    for (const layer of ratings ?? [{ value: null, count }]) {
      sum += layer.count
      const to = Math.round((sum / count) * high)
      const gap = to - from >= ROOM_PX && to < high ? 1 : 0
      const look = layer.value === null ? fill : ratingStyle(layer.value).fill
      const key = isFaded ? `${look} opacity-30` : look
      if (to > from) {
        const path = `M${left} ${heightPx - from}v${from - to + gap}h${WIDTH}v${to - from - gap}z`
        paths.set(key, (paths.get(key) ?? '') + path)
      }
      from = to
    }
  })
  return paths
}
