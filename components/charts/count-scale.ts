/** An axis from 0 to `bound`, and the whole numbers that it names. */
type CountScale = { bound: number; ticks: number[] }

const MANTISSAS = [1, 2, 5, 10]
/** The axis names no more than so many values above zero. */
const MOST = 5
const SMALLEST_BOUND = 2

/** A scale that ends with the largest count, and names round numbers below it. */
export function toCountScale(counts: readonly number[]): CountScale {
  const bound = counts.reduce((most, count) => Math.max(most, count), SMALLEST_BOUND)
  const least = Math.max(1, bound / MOST)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = (MANTISSAS.find((mantissa) => mantissa * power >= least) ?? 10) * power
  const ticks = Array.from({ length: Math.floor(bound / step) + 1 }, (_, index) => index * step)
  return { bound, ticks }
}
