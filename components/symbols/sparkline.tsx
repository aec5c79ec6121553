import { Curve } from 'recharts'
import { useFormats } from '#components/format/use-formats.tsx'
import { RowPicture } from '#components/league/league-table.tsx'

/**
 * The consensus of a year in small, on the scale from 1 to 5 that is the same in every row; a gap where too few
 * ratings were active.
 */
export function Sparkline({ spark }: { spark: Spark }) {
  const { formatConsensus } = useFormats()
  const steps = Math.max(1, spark.length - 1)
  const inset = (steps * INSET_PX) / (WIDTH_PX - 2 * INSET_PX)
  const left = Math.round(-100 * inset) / 100
  return (
    <RowPicture
      box={[left, 0, steps - 2 * left, HEIGHT]}
      reading={toSparkReading(spark, formatConsensus)}
    >
      <Curve points={toSparkPoints(spark)} />
    </RowPicture>
  )
}

type Spark = readonly (string | null)[]

/** As wide and high as `league.css` draws it. */
const WIDTH_PX = 156
const HEIGHT = 220
const UNITS_PER_PX = 10

/** Room for half a line's width, so that 1 and 5 are not cut. */
const INSET_PX = 1
const INSET = INSET_PX * UNITS_PER_PX

/**
 * Where a sparkline goes: fixed from 1 (below) to 5 (above), with a gap where there is no value. A value between two
 * gaps is a line of no length, drawn as a dot by its round ends. A unit is a step of time across, and a tenth of a pixel
 * down: whole numbers are the fewest digits to send.
 */
export const toSparkPoints = (spark: Spark) =>
  spark.map((value, x) =>
    value === null
      ? { x: null, y: null }
      : { x, y: Math.round(toHeight(value) * (HEIGHT - 2 * INSET) + INSET) },
  )

/** 0 is the upper end. Services with other codes may lie outside the scale. */
const toHeight = (value: string) => (5 - Math.max(1, Math.min(5, Number(value)))) / 4

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
