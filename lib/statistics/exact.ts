/**
 * `sum / count` with `places` places, divided exactly and rounded once, half away from zero; null over nothing.
 * `sum` is an integer or the decimal text of one that the database added up.
 */
export function toMean(
  sum: number | bigint | string | null,
  count: number | bigint,
  places: number,
): string | null {
  if (BigInt(count) === 0n || sum === null) return null
  const { units, places: given } = parseDecimal(String(sum))
  return toQuotient(units * 10n ** BigInt(places), 10n ** BigInt(given) * BigInt(count), places)
}

/** `part / whole` with 4 places; `0.0000` where the whole is nothing. */
export const toRatio = (part: number, whole: number): string => toMean(part, whole, 4) ?? '0.0000'

/** The mean of numbers that were added up in millionths. */
export function toMillionthsMean(sum: bigint, count: number, places: number): string | null {
  if (count === 0) return null
  return toQuotient(sum * 10n ** BigInt(places), 1_000_000n * BigInt(count), places)
}

const toQuotient = (dividend: bigint, divisor: bigint, places: number): string =>
  toDecimalText({ units: roundQuotient(dividend, divisor), places })

/** A whole number divided by one above 0, rounded half away from zero. */
export function roundQuotient(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend
  const rounded = (2n * size + divisor) / (2n * divisor)
  return dividend < 0n ? -rounded : rounded
}

/** How many imagined opinions hold a mean back. */
export const IMAGINED = 10

/**
 * A mean drawn towards `towards` (decimal text of 4 places) as if {@link IMAGINED} more opinions had been just that, 4
 * places: few opinions move little from it, many hardly feel it. `sum` is an integer or decimal text of at most 6
 * places. Null over nothing.
 */
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

/** How many ratings there are, their sum and the sum of their squares. */
type RatingSums = { count: number; sum: number; squares: number }

/**
 * The population standard deviation, √(n Q − S²) / n, 4 places; null over nothing. The sums are whole numbers, so
 * nothing is lost before it is rounded, once.
 */
export function toDeviation({ count, sum, squares }: RatingSums): string | null {
  if (count === 0) return null
  const [n, s, q] = [BigInt(count), BigInt(sum), BigInt(squares)]
  return toRootText({ whole: 0n, sign: 1n, root: n * q - s * s, divisor: n }, 4)
}

/**
 * The lower end of Wilson's interval (95 %, z = 1.96) of the share `part / whole`, 4 places; null over nothing. With x of
 * n and z² = 2401 / 625 it is (n (1250 x + 2401) − √(2401 n (2401 n + 2500 x (n − x)))) / (2 n (625 n + 2401)), all of it
 * integers.
 *
 * E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927), 209–212.
 */
export function toWilsonLow(part: number, whole: number): string | null {
  if (whole <= 0) return null
  const [x, n] = [BigInt(part), BigInt(whole)]
  return toRootText(
    {
      whole: n * (1250n * x + 2401n),
      sign: -1n,
      root: 2401n * n * (2401n * n + 2500n * x * (n - x)),
      divisor: 2n * n * (625n * n + 2401n),
    },
    4,
  )
}

/**
 * The bounds that a consensus is ranked by, 4 places; null over nothing. To the n ratings with the sum S and the sum of
 * squares Q comes one imagined opinion of each rating from 1 to 5, then N = n + 5, S' = S + 15, Q' = Q + 55, and the
 * bounds are S'/N ∓ 1.65 √((Q'/N − (S'/N)²) / (N + 1)): 90 % of what the mean may be lies between them. In integers that
 * is (20 S' (N + 1) ∓ √(1089 (N Q' − S'²) (N + 1))) / (20 N (N + 1)).
 *
 * Evan Miller, "Ranking Items With Star Ratings" (2014), https://www.evanmiller.org/ranking-items-with-star-ratings.html
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
  return { low: toRootText({ ...form, sign: -1n }, 4), high: toRootText({ ...form, sign: 1n }, 4) }
}

/** The number `(whole ± √root) / divisor`, in integers; `divisor` is above 0, `root` not below it. */
export type RootForm = { whole: bigint; sign: 1n | -1n; root: bigint; divisor: bigint }

/**
 * Its decimal text with `places` places: worked out in integers, where squaring is exact, and rounded once, halves
 * upwards.
 */
export function toRootText({ whole, sign, root, divisor }: RootForm, places: number): string {
  const scale = 2n * 10n ** BigInt(places)
  const scaled = root * scale * scale
  const dividend = whole * scale + divisor + (sign === 1n ? floorRoot(scaled) : -ceilRoot(scaled))
  return toDecimalText({ units: floorQuotient(dividend, 2n * divisor), places })
}

/** The largest integer whose square is not above `value`: Newton's iteration, which comes down from above. */
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

/** A whole number divided by one above 0 and rounded down: BigInt's own division goes towards zero. */
export const floorQuotient = (dividend: bigint, divisor: bigint): bigint =>
  dividend >= 0n ? dividend / divisor : -((-dividend + divisor - 1n) / divisor)

/** A decimal number: `units` divided by ten to the power of `places`. */
export type Decimal = { units: bigint; places: number }

/** Reads decimal text, `-12.50` or `+3`. Throws where the text is no decimal number. */
function parseDecimal(text: string): Decimal {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) throw new RangeError('not a decimal number')
  const [, sign, whole = '', fraction = ''] = match
  const units = BigInt(whole + fraction)
  return { units: sign === '-' ? -units : units, places: fraction.length }
}

/** Text with all its places: `{ units: -1250n, places: 2 }` is `-12.50`. Zero has no sign. */
export function toDecimalText({ units, places }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const sign = units < 0n ? '-' : ''
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-places)}`
}

/** A number of millionths, which every prediction is, as the shortest text: `12500000n` is `12.5`. */
export function toShortText(millionths: bigint): string {
  const text = toDecimalText({ units: millionths, places: 6 })
  return text.replace(/\.?0+$/, '')
}

/** A decimal as it is read, with 2 places and a true minus: `3.67`, `−0.42`. Rounded once, half away from zero. */
export const toTwoPlaces = (decimal: string): string =>
  (toMean(decimal, 1, 2) ?? decimal).replace('-', '−')

/** The same of a change: with its sign, `+0.50`. */
export function toSignedTwoPlaces(change: string): string {
  const text = toTwoPlaces(change)
  return text.startsWith('−') ? text : `+${text}`
}

/** Decimal text of at most 6 places in millionths. */
export function toMillionths(text: string): bigint {
  const { units, places } = parseDecimal(text)
  if (places > 6) throw new RangeError('more than 6 places')
  return units * 10n ** BigInt(6 - places)
}
