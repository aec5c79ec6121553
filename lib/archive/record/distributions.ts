/** What chance does: the distributions that intervals and comparisons with a coin need. Relative errors are below 1e-10. */

/** So far from the mean a normal value lies in 5 % of cases, in standard deviations. */
const NORMAL_95 = 1.959963984540054

/** Wilson's interval (95 %) of a share: `hits` of `n`, which need not be whole. Null over nothing. */
export function toWilson(hits: number, n: number): { low: number; high: number } | null {
  if (n <= 0) return null
  const z2 = NORMAL_95 ** 2
  const share = hits / n
  const middle = share + z2 / (2 * n)
  const reach = NORMAL_95 * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n))
  const whole = 1 + z2 / n
  return {
    low: hits === 0 ? 0 : (middle - reach) / whole,
    high: hits === n ? 1 : (middle + reach) / whole,
  }
}

/** Student's interval (95 %) of a mean; null over fewer than `least` values. `squares` is the sum of squared distances from the mean. */
export function toStudent(
  { n, mean, squares }: { n: number; mean: number; squares: number },
  least = 5,
): { low: number; high: number } | null {
  if (n < Math.max(2, least)) return null
  const reach = studentQuantile(0.975, n - 1) * Math.sqrt(Math.max(0, squares) / (n - 1) / n)
  return { low: mean - reach, high: mean + reach }
}

/** How probable it is that a coin falls on its head `least` times or more in `n` throws. */
export function coinTail(least: number, n: number): number {
  if (least <= 0) return 1
  if (least > n) return 0
  return incompleteBeta(0.5, least, n - least + 1)
}

/** How probable it is that a variable of Poisson's distribution with such a mean, above 0, is `most` or less. */
export const poissonBelow = (most: number, mean: number): number =>
  most < 0 ? 0 : upperGamma(most + 1, mean)

/** The value that a variable of Student's distribution is below with probability `p`, above one half. */
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

/** For `t` of 0 and more. */
const studentBelow = (t: number, freedom: number) =>
  1 - incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2

/** Lanczos' approximation of the logarithm of the gamma function, for what is above 0. */
const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const shifted = x - 1
  const series = LANCZOS.reduce(
    (sum, part, index) => sum + part / (shifted + index + 1),
    0.9999999999998099,
  )
  const t = shifted + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(series)
}

/** The regularised incomplete beta function, by its continued fraction (W. H. Press et al., "Numerical Recipes", 6.4). */
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

/** The upper regularised incomplete gamma function, by its series or its continued fraction (the same book, 6.2). */
function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1
  const front = Math.exp(a * Math.log(x) - x - logGamma(a))
  return x < a + 1 ? 1 - front * gammaSeries(a, x) : front * gammaFraction(a, x)
}

function gammaSeries(a: number, x: number): number {
  let [term, sum] = [1 / a, 1 / a]
  for (let n = 1; n <= STEPS && term > sum * 1e-16; n += 1) {
    term *= x / (a + n)
    sum += term
  }
  return sum
}

function gammaFraction(a: number, x: number): number {
  const away = (value: number) => (Math.abs(value) < TINY ? TINY : value)
  let b = x + 1 - a
  let c = 1 / TINY
  let d = 1 / away(b)
  let value = d
  for (let n = 1; n <= STEPS; n += 1) {
    const weight = -n * (n - a)
    b += 2
    d = 1 / away(weight * d + b)
    c = away(b + weight / c)
    const step = d * c
    value *= step
    if (Math.abs(step - 1) < 1e-15) break
  }
  return value
}
