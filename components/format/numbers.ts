/** How a language sets off the digits of a number. Digits are always 0 to 9. */
export type NumberMarks = {
  /** Between groups of digits; empty where there are none. The group before the decimal mark has three. */
  group: string
  /** How many digits every group further left has: two in India. */
  farGroup: number
  /** The least number of whole digits that is grouped: `1234` and `12 345` in Spanish. */
  leastDigits: number
  decimal: string
  /** What stands before and behind a percentage: `12.50%`, `12,50 %`, `%12,50`. */
  percent: readonly [before: string, behind: string]
}

export const ENGLISH: NumberMarks = {
  group: ',',
  farGroup: 3,
  leastDigits: 4,
  decimal: '.',
  percent: ['', '%'],
}

const NEAR_GROUP = 3

/** Whole digits in groups: `98,310`, `98.310`, `98 310`, `12,34,567`. */
function toGrouped(whole: string, { group, farGroup, leastDigits }: NumberMarks): string {
  if (group === '' || whole.length < leastDigits) return whole
  const far = whole.slice(0, -NEAR_GROUP)
  const groups: string[] = []
  for (let end = far.length; end > 0; end -= farGroup) {
    groups.unshift(far.slice(Math.max(0, end - farGroup), end))
  }
  return [...groups, whole.slice(-NEAR_GROUP)].join(group)
}

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/

/** U+2212: as wide as a plus, and never a hyphen. */
export const MINUS = '−'

/** A decimal text cut into its parts, leading zeros gone; null where it is none. */
type DecimalParts = { negative: boolean; whole: string; fraction: string }

function parseDecimal(text: string): DecimalParts | null {
  const match = DECIMAL.exec(text)
  if (!match) return null
  const [, sign, whole = '0', fraction = ''] = match
  return { negative: sign === '-', whole: whole.replace(/^0+(?=\d)/, ''), fraction }
}

const isZero = ({ whole, fraction }: DecimalParts): boolean =>
  /^0*$/.test(whole) && /^0*$/.test(fraction)

/** Rounds half away from zero, digit by digit: a float would already have lost them. */
function roundDecimal(parts: DecimalParts, places: number): DecimalParts {
  const digits = parts.fraction.padEnd(places, '0')
  const kept = BigInt(parts.whole + digits.slice(0, places))
  const next = digits.charAt(places)
  const rounded = (kept + (next >= '5' ? 1n : 0n)).toString().padStart(places + 1, '0')
  const cut = rounded.length - places
  return { negative: parts.negative, whole: rounded.slice(0, cut), fraction: rounded.slice(cut) }
}

/** The digits without a sign: `1,234.50`. */
function toDigits({ whole, fraction }: DecimalParts, marks: NumberMarks): string {
  const grouped = toGrouped(whole, marks)
  return fraction === '' ? grouped : `${grouped}${marks.decimal}${fraction}`
}

/** A percentage with its sign, every digit as it is: `+12.50%`. */
const toPercent = (parts: DecimalParts, marks: NumberMarks): string =>
  toSign(parts) + marks.percent[0] + toDigits(parts, marks) + marks.percent[1]

/** The sign that is always printed; zero has none. */
function toSign(parts: DecimalParts): string {
  if (isZero(parts)) return ''
  return parts.negative ? MINUS : '+'
}

/** A whole number with thousands separators: `98,310`. */
export const formatCount = (count: number, marks = ENGLISH): string =>
  `${count < 0 ? MINUS : ''}${toGrouped(Math.abs(Math.round(count)).toFixed(), marks)}`

/** A count with its noun, in English marks: `1 rating`, `2,911 ratings`. The plural takes an s unless it is given. */
export const formatCounted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

const UNITS = ['kB', 'MB', 'GB', 'TB']
const STEP = 1000

/** A size as disks are sold by: `512 B`, `11.8 MB`, `118 MB`, `1.2 GB`. */
export function formatBytes(bytes: number, marks = ENGLISH): string {
  if (bytes < STEP) return `${Math.round(bytes)} B`
  let size = bytes / STEP
  let unit = 0
  while (size >= STEP - 0.5 && unit < UNITS.length - 1) {
    size /= STEP
    unit += 1
  }
  const digits = size.toFixed(size < 99.95 ? 1 : 0).replace('.', marks.decimal)
  return `${digits} ${UNITS[unit]}`
}

const PLACES = 2

/** A mean rating for the eye: `'4.2150'` → `4.22`, half away from zero, exactly. A dash where there is none. */
export function formatConsensus(consensus: string | null, marks = ENGLISH): string {
  if (consensus === null) return '–'
  const parts = parseDecimal(consensus)
  if (!parts) return consensus
  const rounded = roundDecimal(parts, PLACES)
  return `${toSign(rounded) === MINUS ? MINUS : ''}${toDigits(rounded, marks)}`
}

/** A decimal text with every digit as it is: `1234.5000` → `1,234.5000`. What is no decimal comes back as it is. */
function formatDecimal(text: string, marks = ENGLISH): string {
  const parts = parseDecimal(text)
  return parts ? `${parts.negative ? MINUS : ''}${toDigits(parts, marks)}` : text
}

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

/** How numbers are written for one reader: each as the function of that name, in the marks of his language. */
export const createFormats = (marks: NumberMarks) => ({
  formatBytes: (bytes: number) => formatBytes(bytes, marks),
  formatConsensus: (consensus: string | null) => formatConsensus(consensus, marks),
  formatCount: (count: number) => formatCount(count, marks),
  /** A count with its noun: `1 rating`, `2,911 ratings`. The plural takes an s unless it is given. */
  formatCounted: (count: number, one: string, many = `${one}s`) =>
    `${formatCount(count, marks)} ${count === 1 ? one : many}`,
  formatDecimal: (text: string) => formatDecimal(text, marks),
  formatMeanPrediction: (mean: string | null) => formatMeanPrediction(mean, marks),
  formatPrediction: (prediction: string) => formatPrediction(prediction, marks),
  fromFieldDecimal: (text: string) => fromFieldDecimal(text, marks),
  toFieldDecimal: (decimal: string) => toFieldDecimal(decimal, marks),
  /** A share in whole percent, without a sign: `81%`. */
  formatShare: (percent: number) =>
    marks.percent[0] + formatCount(percent, marks) + marks.percent[1],
})

export type Formats = ReturnType<typeof createFormats>

/** What a text without a reader is written in: tests, and what a machine reads. */
export const ENGLISH_FORMATS = createFormats(ENGLISH)

/** Agreement as a share of the votes received: `'81%'`, rounded half up, exactly; null where nobody voted. */
export function toAgreementText(
  agree: number,
  disagree: number,
  { formatShare }: Formats = ENGLISH_FORMATS,
): string | null {
  const votes = agree + disagree
  return votes === 0 ? null : formatShare(toWholePercent(agree, votes))
}

/** A part of a whole above 0 in whole percent, rounded half up, exactly. */
export const toWholePercent = (part: number, whole: number): number =>
  Math.floor((200 * part + whole) / (2 * whole))

/** A share with four places (`'0.6509'`) in whole percent, rounded half up. */
export const toShareText = (share: string, { formatShare }: Formats = ENGLISH_FORMATS): string =>
  formatShare(toWholePercent(toTenThousandths(share), 10_000))

/** `'0.6509'` is 6509. */
export const toTenThousandths = (share: string): number => Number(share.replace('.', ''))
