import { useFormats } from '#components/format/use-formats.tsx'
import { BAR_PX, toBarsPath, toBarsReading } from './bars-path.ts'

const HEIGHT_PX = 18

/**
 * A member's ratings of a year by week, the last of which ends with the page's instant: the same scale in every row, so
 * that rows can be compared.
 */
export function ActivityBars({ activity }: { activity: readonly number[] }) {
  const { formatCount, formatCounted } = useFormats()
  const width = activity.length * BAR_PX
  const reading = toBarsReading(activity, { formatCount, formatCounted })
  return (
    <svg
      aria-label={reading}
      className="inline-block align-middle text-ink-2 forced-colors:text-[CanvasText]"
      height={HEIGHT_PX}
      role="img"
      viewBox={`0 0 ${width} ${HEIGHT_PX}`}
      width={width}
    >
      <title>{reading}</title>
      <line className="stroke-line" x1={0} x2={width} y1={HEIGHT_PX - 0.5} y2={HEIGHT_PX - 0.5} />
      <path d={toBarsPath(activity, HEIGHT_PX)} fill="currentColor" />
    </svg>
  )
}
