import { RowPicture } from '#components/charts/row-picture.tsx'
import { formatConsensus } from '#components/format/numbers.ts'

/** Scaled to its own values. */
export function Sparkline({ spark }: { spark: Spark }) {
  const steps = Math.max(1, spark.length - 1)
  const inset = (steps * INSET_PX) / (WIDTH_PX - 2 * INSET_PX)
  const left = Math.round(-100 * inset) / 100
  return (
    <RowPicture
      box={[left, 0, steps - 2 * left, HEIGHT]}
      of={spark}
      points={toSparkPoints(spark)}
      reading={toSparkReading(spark, formatConsensus)}
    />
  )
}

type Spark = readonly (string | null)[]

/** Must match `row-figures.css`. */
const WIDTH_PX = 156
const HEIGHT = 220
const UNITS_PER_PX = 10

const INSET_PX = 1
const INSET = INSET_PX * UNITS_PER_PX

/** Smaller spans are drawn flatter: they would look like moves. */
const SPAN_LEAST = 0.5

/** Units are time steps across and tenths of a pixel down. An isolated value is a dot. */
export function toSparkPoints(spark: Spark) {
  const values = spark.filter((value) => value !== null).map(Number)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const span = Math.max(SPAN_LEAST, high - low)
  const top = (low + high + span) / 2
  return spark.map((value, x) => {
    if (value === null) return { x: null, y: null }
    const fromTop = (top - Number(value)) / span
    return { x, y: Math.round(fromTop * (HEIGHT - 2 * INSET) + INSET) }
  })
}

export function toSparkReading(spark: Spark, format: (consensus: string) => string): string {
  const values = spark.filter((value) => value !== null)
  const [first, last] = [values[0], values.at(-1)]
  if (first === undefined || last === undefined) return 'No consensus in the last year'
  const sorted = values.toSorted((one, other) => Number(one) - Number(other))
  const [low = first, high = last] = [sorted[0], sorted.at(-1)]
  const now = spark.at(-1) === null ? `${format(last)}, none now` : format(last)
  return `Consensus in a year: ${format(first)} to ${now}, between ${format(low)} and ${format(high)}`
}
