/** An axis from 0 to `bound`, which is even, so that its middle is a whole number too. */
type CountScale = { bound: number; ticks: number[] }

const MANTISSAS = [1, 2, 3, 4, 5, 6, 8, 10]

/** The smallest round scale that holds every count. */
export function toCountScale(counts: readonly number[]): CountScale {
  const largest = counts.reduce((most, count) => Math.max(most, count), 2)
  const power = 10 ** Math.floor(Math.log10(largest))
  const bounds = MANTISSAS.map((mantissa) => mantissa * power)
  const bound = bounds.find((one) => one >= largest && one % 2 === 0) ?? 10 * power
  return { bound, ticks: [0, bound / 2, bound] }
}
