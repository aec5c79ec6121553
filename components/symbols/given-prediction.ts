const TRAILING = /(\.\d{2}\d*?)0+$/

/**
 * A prediction that somebody gave, from the six places that it has on the wire to the digits that it was given with, at
 * least two: `'9.500000'` → `'9.50'`, `'0.125000'` → `'0.125'`.
 */
export const toGivenDigits = (prediction: string): string => prediction.replace(TRAILING, '$1')
