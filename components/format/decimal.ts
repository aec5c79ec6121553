import { type NumberMarks, toGrouped } from './number-marks.ts'

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/

/** U+2212: as wide as a plus, and never a hyphen. */
export const MINUS = '−'

/** A decimal text cut into its parts, leading zeros gone; null where it is none. */
type DecimalParts = { negative: boolean; whole: string; fraction: string }

export function parseDecimal(text: string): DecimalParts | null {
  const match = DECIMAL.exec(text)
  if (!match) return null
  const [, sign, whole = '0', fraction = ''] = match
  return { negative: sign === '-', whole: whole.replace(/^0+(?=\d)/, ''), fraction }
}

const isZero = ({ whole, fraction }: DecimalParts): boolean =>
  /^0*$/.test(whole) && /^0*$/.test(fraction)

/** Rounds half away from zero, digit by digit: a float would already have lost them. */
export function roundDecimal(parts: DecimalParts, places: number): DecimalParts {
  const digits = parts.fraction.padEnd(places, '0')
  const kept = BigInt(parts.whole + digits.slice(0, places))
  const next = digits.charAt(places)
  const rounded = (kept + (next >= '5' ? 1n : 0n)).toString().padStart(places + 1, '0')
  const cut = rounded.length - places
  return { negative: parts.negative, whole: rounded.slice(0, cut), fraction: rounded.slice(cut) }
}

/** The digits without a sign: `1,234.50`. */
export function toDigits({ whole, fraction }: DecimalParts, marks: NumberMarks): string {
  const grouped = toGrouped(whole, marks)
  return fraction === '' ? grouped : `${grouped}${marks.decimal}${fraction}`
}

/** A percentage with its sign, every digit as it is: `+12.50%`. */
export const toPercent = (parts: DecimalParts, marks: NumberMarks): string =>
  toSign(parts) + marks.percent[0] + toDigits(parts, marks) + marks.percent[1]

/** The sign that is always printed; zero has none. */
export function toSign(parts: DecimalParts): string {
  if (isZero(parts)) return ''
  return parts.negative ? MINUS : '+'
}
