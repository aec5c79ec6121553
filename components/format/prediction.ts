import { parseDecimal, roundDecimal, toDigits, toSign } from './decimal.ts'

/**
 * A prediction as finance writes it: `'12.50'` → `+12.50%`, `'-3.00'` → `−3.00%`, `'0.00'` → `0.00%`.
 * The digits stay those that came, never rounded again. What is no decimal comes back as it is.
 */
export function formatPrediction(prediction: string): string {
  const parts = parseDecimal(prediction)
  return parts ? `${toSign(parts)}${toDigits(parts)}%` : prediction
}

/** A mean of predictions (4 or 6 decimals on the wire), rounded once: `'9.5049'` → `+9.50%`. */
export function formatMeanPrediction(mean: string | null, places = 2): string {
  if (mean === null) return '–'
  const parts = parseDecimal(mean)
  if (!parts) return mean
  const rounded = roundDecimal(parts, places)
  return `${toSign(rounded)}${toDigits(rounded)}%`
}
