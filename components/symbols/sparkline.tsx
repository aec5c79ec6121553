import { Curve } from 'recharts'
import { useFormats } from '#components/format/use-formats.tsx'
import { RowPicture } from '#components/league/league-table.tsx'

/** Fixed at 1 to 5, so that rows are comparable. */
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

/** Must match `league.css`. */
const WIDTH_PX = 156
const HEIGHT = 220
const UNITS_PER_PX = 10

const INSET_PX = 1
const INSET = INSET_PX * UNITS_PER_PX

/** Units are time steps across and tenths of a pixel down. An isolated value is a dot. */
export const toSparkPoints = (spark: Spark) =>
  spark.map((value, x) =>
    value === null
      ? { x: null, y: null }
      : { x, y: Math.round(toHeight(value) * (HEIGHT - 2 * INSET) + INSET) },
  )

/** 0 is the top. Clamped, because codes vary by service. */
const toHeight = (value: string) => (5 - Math.max(1, Math.min(5, Number(value)))) / 4

export function toSparkReading(spark: Spark, format: (consensus: string) => string): string {
  const values = spark.filter((value) => value !== null)
  const [first, last] = [values[0], values.at(-1)]
  if (first === undefined || last === undefined) return 'No consensus in the last year'
  const sorted = values.toSorted((one, other) => Number(one) - Number(other))
  const [low = first, high = last] = [sorted[0], sorted.at(-1)]
  const now = spark.at(-1) === null ? `${format(last)}, none now` : format(last)
  return `Consensus in a year: ${format(first)} to ${now}, between ${format(low)} and ${format(high)}`
}
