const NORMAL_97_5 = 1.959963984540054

/** Null if `n` is 0. `hits` may be fractional. */
export function toWilson(
  hits: number,
  n: number,
  z = NORMAL_97_5,
): { low: number; high: number } | null {
  if (n <= 0) return null
  const z2 = z ** 2
  const share = hits / n
  const center = share + z2 / (2 * n)
  const reach = z * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n))
  const whole = 1 + z2 / n
  return {
    low: hits === 0 ? 0 : (center - reach) / whole,
    high: hits === n ? 1 : (center + reach) / whole,
  }
}
