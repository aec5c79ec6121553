/** An axis from `-bound` to `+bound` percent, and how many values lie beyond it. */
export type PercentScale = { bound: number; ticks: number[]; beyond: number }

const MANTISSAS = [1, 2, 3, 4, 6, 8, 10]
const SMALLEST_BOUND = 2
/** A bound that a few values would stretch further than this keeps its size, and those values stand at its edge. */
const STRETCH = 1.5
const USUAL_SHARE = 0.95

/**
 * A symmetric scale for percentages: wide enough for the usual values, and for all of them where the rest are not far
 * off. Values beyond it are counted, never lost: `toClipped` puts them on the edge.
 */
export function toPercentScale(values: readonly (number | null)[]): PercentScale {
  const sizes = values.flatMap((value) => (value === null ? [] : [Math.abs(value)]))
  sizes.sort((a, b) => a - b)
  const usual = sizes[Math.max(0, Math.ceil(sizes.length * USUAL_SHARE) - 1)] ?? 0
  const largest = sizes.at(-1) ?? 0
  const narrow = toNice(usual)
  const bound = largest <= narrow * STRETCH ? toNice(largest) : narrow
  return {
    bound,
    ticks: [-bound, -bound / 2, 0, bound / 2, bound],
    beyond: sizes.filter((size) => size > bound).length,
  }
}

/** The value where it fits, else the edge on its side. */
export const toClipped = (value: number | null, bound: number): number | null =>
  value === null ? null : Math.max(-bound, Math.min(bound, value))

function toNice(value: number): number {
  if (value <= SMALLEST_BOUND) return SMALLEST_BOUND
  const power = 10 ** Math.floor(Math.log10(value))
  const mantissa = MANTISSAS.find((candidate) => candidate * power >= value) ?? 10
  return mantissa * power
}
