import { Curve } from 'recharts'
import { useFormats } from '#components/format/use-formats.tsx'
import { RowPicture } from '#components/league/league-table.tsx'

const WIDTH_PX = 156
const HEIGHT_PX = 22

/**
 * The consensus of a year in small, on the scale from 1 to 5 that is the same in every row; a gap where too few
 * ratings were active.
 */
export function Sparkline({ spark }: { spark: readonly (string | null)[] }) {
  const { formatConsensus } = useFormats()
  const points = toSparkPoints(spark, { width: WIDTH_PX, height: HEIGHT_PX })
  const reading = toSparkReading(spark, formatConsensus)
  return (
    <RowPicture
      wide="vast:w-[22vw]"
      height={HEIGHT_PX}
      lineY={HEIGHT_PX / 2}
      reading={reading}
      width={WIDTH_PX}
    >
      <Curve
        fill="none"
        points={points}
        stroke="currentColor"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </RowPicture>
  )
}

type Spark = readonly (string | null)[]

/** Room for half a line's width, so that 1 and 5 are not cut. */
const INSET_PX = 1

/**
 * Where a sparkline goes: fixed from 1 (below) to 5 (above), with a gap where there is no value. A value between two
 * gaps is a line of no length, drawn as a dot by its round ends.
 */
export const toSparkPoints = (spark: Spark, { width, height }: { width: number; height: number }) =>
  spark.map((value, index) => {
    if (value === null) return { x: null, y: null }
    const step = (width - 2 * INSET_PX) / Math.max(1, spark.length - 1)
    return {
      x: round(INSET_PX + index * step),
      y: round(toHeight(value) * (height - 2 * INSET_PX) + INSET_PX),
    }
  })

/** 0 is the upper end. Services with other codes may lie outside the scale. */
const toHeight = (value: string) => (5 - Math.max(1, Math.min(5, Number(value)))) / 4

const round = (px: number) => Math.round(px * 10) / 10

/** The same in words: where it began and where it is, and between what it moved. */
export function toSparkReading(spark: Spark, format: (consensus: string) => string): string {
  const values = spark.filter((value) => value !== null)
  const [first, last] = [values[0], values.at(-1)]
  if (first === undefined || last === undefined) return 'No consensus in the last year'
  const sorted = values.toSorted((one, other) => Number(one) - Number(other))
  const [low = first, high = last] = [sorted[0], sorted.at(-1)]
  const now = spark.at(-1) === null ? `${format(last)}, none now` : format(last)
  return `Consensus in a year: ${format(first)} to ${now}, between ${format(low)} and ${format(high)}`
}
