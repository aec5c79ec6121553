import { ENGLISH } from './number-marks.ts'

/** A decimal text as it stands in a field, to be changed there: `12.5` → `12,5`. */
export const toFieldDecimal = (decimal: string, marks = ENGLISH): string =>
  decimal.replace('.', marks.decimal)

/**
 * What a reader wrote into such a field, with a point: `12,5` → `12.5`, `1.234,5` → `1234.5`. A point is taken for the
 * decimal mark that it is in addresses and files, unless his own stands behind it; what is no number stays as it is.
 */
export function fromFieldDecimal(text: string, { decimal, group } = ENGLISH): string {
  const [whole = '', ...fractions] = text.split(decimal)
  if (decimal === '.' || fractions.length !== 1) return text
  const plain = group === '' ? whole : whole.replaceAll(group, '')
  return `${plain.replace(/\s/g, '')}.${fractions[0]}`
}
