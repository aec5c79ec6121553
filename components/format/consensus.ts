import { MINUS, parseDecimal, roundDecimal, toDigits, toSign } from './decimal.ts'
import { ENGLISH } from './number-marks.ts'

const PLACES = 2

/** A mean rating for the eye: `'4.2150'` → `4.22`, half away from zero, exactly. A dash where there is none. */
export function formatConsensus(consensus: string | null, marks = ENGLISH): string {
  if (consensus === null) return '–'
  const parts = parseDecimal(consensus)
  if (!parts) return consensus
  const rounded = roundDecimal(parts, PLACES)
  return `${toSign(rounded) === MINUS ? MINUS : ''}${toDigits(rounded, marks)}`
}
