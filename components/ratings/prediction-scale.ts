import type { Facets } from '#lib/contract/answers/ratings.ts'
import { toDecimalText, toMicros } from './prediction-span.ts'

/**
 * The values that lie along the bins, in millionths: the outermost bins reach further out than they are wide, so the
 * scale ends where they would if they were as wide as the others.
 */
export type PredictionScale = { low: bigint; high: bigint }

export function toPredictionScale(bins: Facets['prediction']): PredictionScale {
  const edges = bins.map(({ from }) => toMicros(from))
  const last = bins.at(-1)
  const [first = 0n, second, third] = edges
  const end = last ? toMicros(last.to) : 0n
  if (second === undefined) return { low: first, high: end }
  if (third === undefined) return { low: first, high: end }
  const width = third - second
  return { low: second - width, high: (edges.at(-1) ?? end) + width }
}

/** So many places at most that an end of the slider can stand in. */
const MOST_STOPS = 200n
/** Steps that people count in, in millionths: 0.01, 0.02, 0.05, 0.1 and so on. */
const LEAST_STEP = 10_000n
const STEPS = [1n, 2n, 5n]

/** A place on the slider: the bound that it stands for, as decimal text; null at both ends, which bound nothing. */
export type PredictionStop = { share: number; bound: string | null }

/** The places where an end of the slider can stand: round predictions, and both ends of the scale. */
export function toPredictionStops(scale: PredictionScale): PredictionStop[] {
  const { low, high } = scale
  const step = toStep(high - low)
  const stops: PredictionStop[] = [{ share: 0, bound: null }]
  for (let at = toNextMultiple(low, step); at < high; at += step) {
    stops.push({ share: Number(at - low) / Number(high - low), bound: toDecimalText(at) })
  }
  return [...stops, { share: 1, bound: null }]
}

function toStep(length: bigint): bigint {
  for (let unit = LEAST_STEP; ; unit *= 10n) {
    const step = STEPS.map((times) => times * unit).find((size) => size * MOST_STOPS >= length)
    if (step !== undefined) return step
  }
}

/** The first multiple of a step that is greater. */
function toNextMultiple(value: bigint, step: bigint): bigint {
  const rest = value % step
  return value - rest + (rest < 0n ? 0n : step)
}
