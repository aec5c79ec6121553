import { useFormats } from '#components/format/use-formats.tsx'
import { RowPicture } from '#components/league/league-table.tsx'
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
    <RowPicture height={HEIGHT_PX} lineY={HEIGHT_PX / 2} reading={reading} width={WIDTH_PX}>
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth={1.5}
      />
    </RowPicture>
  )
}
