import { MINUS, parseDecimal, roundDecimal, toDigits, toSign } from './decimal.ts'

/** A mean rating for the eye: `'4.2150'` → `4.22`, half away from zero, exactly. A dash where there is none. */
export function formatConsensus(consensus: string | null, places = 2): string {
  if (consensus === null) return '–'
  const parts = parseDecimal(consensus)
  if (!parts) return consensus
  const rounded = roundDecimal(parts, places)
  const negative = toSign(rounded) === MINUS
  return `${negative ? MINUS : ''}${toDigits(rounded)}`
}
