/** Relative errors are below 1e-10. */

/**
 * Null over fewer than `least` values. `squares` is the sum of squared distances from the mean.
 */
export function toStudent(
  { n, mean, squares }: { n: number; mean: number; squares: number },
  least = 5,
): { low: number; high: number } | null {
  if (n < Math.max(2, least)) return null
  const reach = outerQuantile(n - 1) * Math.sqrt(Math.max(0, squares) / (n - 1) / n)
  return { low: mean - reach, high: mean + reach }
}

export function coinTail(least: number, n: number): number {
  if (least <= 0) return 1
  if (least > n) return 0
  return incompleteBeta(0.5, least, n - least + 1)
}

const outerQuantiles = new Map<number, number>()

/** At 0.975. Users share few degrees of freedom. */
function outerQuantile(freedom: number): number {
  const known = outerQuantiles.get(freedom)
  if (known !== undefined) return known
  const quantile = studentQuantile(0.975, freedom)
  outerQuantiles.set(freedom, quantile)
  return quantile
}

/** `p` is above 0.5. */
export function studentQuantile(p: number, freedom: number): number {
  let [low, high] = [0, 1]
  while (studentBelow(high, freedom) < p) high *= 2
  for (let step = 0; step < 200 && high - low > 1e-13 * high; step += 1) {
    const middle = (low + high) / 2
    if (studentBelow(middle, freedom) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** `t` is at least 0. */
const studentBelow = (t: number, freedom: number) =>
  1 - incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

/** Lanczos' approximation, for `x` of 0.5 or more. */
function logGamma(x: number): number {
  const shifted = x - 1
  const series = LANCZOS.reduce(
    (sum, part, index) => sum + part / (shifted + index + 1),
    0.9999999999998099,
  )
  const t = shifted + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(series)
}

/**
 * Continued fraction, for `a` and `b` of 0.5 or more (W. H. Press et al., "Numerical Recipes",
 * 6.4).
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  )
  return x < (a + 1) / (a + b + 2)
    ? (front * continuedFraction(x, a, b)) / a
    : 1 - (front * continuedFraction(1 - x, b, a)) / b
}

const STEPS = 10_000
const TINY = 1e-300

/** Lentz's method. */
function continuedFraction(x: number, a: number, b: number): number {
  const away = (value: number) => (Math.abs(value) < TINY ? TINY : value)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m <= STEPS; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    const step = d * c
    value *= step
    if (Math.abs(step - 1) < 1e-15) break
  }
  return value
}

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
