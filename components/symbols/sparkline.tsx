import { useFormats } from '#components/format/use-formats.tsx'
import { toSparkPath, toSparkReading } from './spark-path.ts'

const WIDTH_PX = 156
const HEIGHT_PX = 22

/**
 * The consensus of a year in small, on the scale from 1 to 5 that is the same in every row; a gap where too few
 * ratings were active.
 */
export function Sparkline({ spark }: { spark: readonly (string | null)[] }) {
  const { formatConsensus } = useFormats()
  const path = toSparkPath(spark, { width: WIDTH_PX, height: HEIGHT_PX })
  const reading = toSparkReading(spark, formatConsensus)
  return (
    <svg
      aria-label={reading}
      className="inline-block align-middle text-ink-2"
      height={HEIGHT_PX}
      role="img"
      viewBox={`0 0 ${WIDTH_PX} ${HEIGHT_PX}`}
      width={WIDTH_PX}
    >
      <title>{reading}</title>
      <line className="stroke-line" x1={0} x2={WIDTH_PX} y1={HEIGHT_PX / 2} y2={HEIGHT_PX / 2} />
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth={1.5}
      />
    </svg>
  )
}
