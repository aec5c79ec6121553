/** Divides exactly and rounds once, half away from zero. Null if `count` is 0. */
export function toMean(
  sum: number | bigint | string | null,
  count: number | bigint,
  places: number,
): string | null {
  if (BigInt(count) === 0n || sum === null) return null
  const { units, places: given } = parseDecimal(String(sum))
  return toQuotient(units * 10n ** BigInt(places), 10n ** BigInt(given) * BigInt(count), places)
}

export const toRatio = (part: number, whole: number): string => toMean(part, whole, 4) ?? '0.0000'

export function toMillionthsMean(sum: bigint, count: number, places: number): string | null {
  if (count === 0) return null
  return toQuotient(sum * 10n ** BigInt(places), 1_000_000n * BigInt(count), places)
}

const toQuotient = (dividend: bigint, divisor: bigint, places: number): string =>
  toDecimalText({ units: roundQuotient(dividend, divisor), places })

/** Half away from zero; `divisor` is above 0. */
export function roundQuotient(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend
  const rounded = (2n * size + divisor) / (2n * divisor)
  return dividend < 0n ? -rounded : rounded
}

export const IMAGINED = 10

/** Bayesian mean: adds {@link IMAGINED} opinions of `towards`. */
export function toShrunkMean(
  { sum, count }: { sum: number | string | null; count: number },
  towards: string | null,
): string | null {
  if (count === 0 || sum === null || towards === null) return null
  const given = parseDecimal(String(sum))
  const imagined = parseDecimal(towards)
  const places = Math.max(given.places, imagined.places)
  const scale = (from: number) => 10n ** BigInt(places - from)
  const units =
    given.units * scale(given.places) + BigInt(IMAGINED) * imagined.units * scale(imagined.places)
  return toMean(toDecimalText({ units, places }), count + IMAGINED, 4)
}

type RatingSums = { count: number; sum: number; squares: number }

/** Population standard deviation √(n Q − S²) / n, rounded once. Null if `count` is 0. */
export function toDeviation({ count, sum, squares }: RatingSums): string | null {
  if (count === 0) return null
  const [n, s, q] = [BigInt(count), BigInt(sum), BigInt(squares)]
  return toRootText({ whole: 0n, sign: 1n, root: n * q - s * s, divisor: n })
}

/**
 * Lower bound of the 95% Wilson interval: (n (1250 x + 2401) − √(2401 n (2401 n + 2500 x (n − x))))
 * / (2 n (625 n + 2401)).
 */
export function toWilsonLow(part: number, whole: number): string | null {
  if (whole <= 0) return null
  const [x, n] = [BigInt(part), BigInt(whole)]
  return toRootText({
    whole: n * (1250n * x + 2401n),
    sign: -1n,
    root: 2401n * n * (2401n * n + 2500n * x * (n - x)),
    divisor: 2n * n * (625n * n + 2401n),
  })
}

/**
 * Adds one rating of each value 1 to 5, then S'/N ∓ 1.65 √((Q'/N − (S'/N)²) / (N + 1)). Source:
 * https://www.evanmiller.org/ranking-items-with-star-ratings.html
 */
export function toRankingBounds(sums: RatingSums): { low: string | null; high: string | null } {
  if (sums.count === 0) return { low: null, high: null }
  const n = BigInt(sums.count) + 5n
  const [s, q] = [BigInt(sums.sum) + 15n, BigInt(sums.squares) + 55n]
  const form = {
    whole: 20n * s * (n + 1n),
    root: 1089n * (n * q - s * s) * (n + 1n),
    divisor: 20n * n * (n + 1n),
  }
  return { low: toRootText({ ...form, sign: -1n }), high: toRootText({ ...form, sign: 1n }) }
}

/** (whole ± √root) / divisor */
type RootForm = { whole: bigint; sign: 1n | -1n; root: bigint; divisor: bigint }

const ROOT_PLACES = 4

export function toRootText({ whole, sign, root, divisor }: RootForm): string {
  const scale = 2n * 10n ** BigInt(ROOT_PLACES)
  const scaled = root * scale * scale
  const dividend = whole * scale + divisor + (sign === 1n ? floorRoot(scaled) : -ceilRoot(scaled))
  return toDecimalText({ units: floorQuotient(dividend, 2n * divisor), places: ROOT_PLACES })
}

export function floorRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

function ceilRoot(value: bigint): bigint {
  const root = floorRoot(value)
  return root * root === value ? root : root + 1n
}

/** BigInt division truncates toward zero. */
export const floorQuotient = (dividend: bigint, divisor: bigint): bigint =>
  dividend >= 0n ? dividend / divisor : -((-dividend + divisor - 1n) / divisor)

export type Decimal = { units: bigint; places: number }

/** Throws if the text is not a decimal number. */
function parseDecimal(text: string): Decimal {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) throw new RangeError('not a decimal number')
  const [, sign, whole = '', fraction = ''] = match
  const units = BigInt(whole + fraction)
  return { units: sign === '-' ? -units : units, places: fraction.length }
}

export function toDecimalText({ units, places }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const sign = units < 0n ? '-' : ''
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-places)}`
}

export function toShortText(millionths: bigint): string {
  const text = toDecimalText({ units: millionths, places: 6 })
  return text.replace(/\.?0+$/, '')
}

export const toTwoPlaces = (decimal: string): string =>
  (toMean(decimal, 1, 2) ?? decimal).replace('-', '−')

export function toSignedTwoPlaces(change: string): string {
  const text = toTwoPlaces(change)
  return text.startsWith('−') ? text : `+${text}`
}

export function toMillionths(text: string): bigint {
  const { units, places } = parseDecimal(text)
  if (places > 6) throw new RangeError('more than 6 places')
  return units * 10n ** BigInt(6 - places)
}

const LIMIT = 2 ** 52

/** Exact if each integer is within ±2⁵². */
export class ExactSum {
  #low = 0
  #high = 0n

  add(value: number): void {
    this.#low += value
    if (this.#low > LIMIT || this.#low < -LIMIT) {
      this.#high += BigInt(this.#low)
      this.#low = 0
    }
  }

  get total(): bigint {
    return this.#high + BigInt(this.#low)
  }
}
