import { parseDecimal, roundDecimal, toPercent } from './decimal.ts'
import { ENGLISH } from './number-marks.ts'

/**
 * A prediction as finance writes it: `'12.50'` → `+12.50%`, `'-3.00'` → `−3.00%`, `'0.00'` → `0.00%`.
 * The digits stay those that came, never rounded again. What is no decimal comes back as it is.
 */
export function formatPrediction(prediction: string, marks = ENGLISH): string {
  const parts = parseDecimal(prediction)
  return parts ? toPercent(parts, marks) : prediction
}

/** A mean of predictions (4 or 6 decimals on the wire), rounded once to two: `'9.5049'` → `+9.50%`. */
export function formatMeanPrediction(mean: string | null, marks = ENGLISH): string {
  if (mean === null) return '–'
  const parts = parseDecimal(mean)
  return parts ? toPercent(roundDecimal(parts, 2), marks) : mean
}
