export type NumberMarks = {
  /** Empty if digits are not grouped. */
  group: string
  /** 2 in India. */
  farGroup: number
  /** Fewer digits are not grouped: `1234` but `12 345` in Spanish. */
  leastDigits: number
  decimal: string
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

/** U+2212: as wide as a plus, unlike a hyphen. */
export const MINUS = '−'

type DecimalParts = { negative: boolean; whole: string; fraction: string }

function parseDecimal(text: string): DecimalParts | null {
  const match = DECIMAL.exec(text)
  if (!match) return null
  const [, sign, whole = '0', fraction = ''] = match
  return { negative: sign === '-', whole: whole.replace(/^0+(?=\d)/, ''), fraction }
}

const isZero = ({ whole, fraction }: DecimalParts): boolean =>
  /^0*$/.test(whole) && /^0*$/.test(fraction)

/** Half away from zero; a float would lose precision. */
function roundDecimal(parts: DecimalParts, places: number): DecimalParts {
  const digits = parts.fraction.padEnd(places, '0')
  const kept = BigInt(parts.whole + digits.slice(0, places))
  const next = digits.charAt(places)
  const rounded = (kept + (next >= '5' ? 1n : 0n)).toString().padStart(places + 1, '0')
  const cut = rounded.length - places
  return { negative: parts.negative, whole: rounded.slice(0, cut), fraction: rounded.slice(cut) }
}

function toDigits({ whole, fraction }: DecimalParts, marks: NumberMarks): string {
  const grouped = toGrouped(whole, marks)
  return fraction === '' ? grouped : `${grouped}${marks.decimal}${fraction}`
}

const toPercent = (parts: DecimalParts, marks: NumberMarks): string =>
  toSign(parts) + marks.percent[0] + toDigits(parts, marks) + marks.percent[1]

function toSign(parts: DecimalParts): string {
  if (isZero(parts)) return ''
  return parts.negative ? MINUS : '+'
}

export const formatCount = (count: number, marks = ENGLISH): string =>
  `${count < 0 ? MINUS : ''}${toGrouped(Math.abs(Math.round(count)).toFixed(), marks)}`

export const formatCounted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

const UNITS = ['kB', 'MB', 'GB', 'TB']
const STEP = 1000

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

/** `'4.2150'` → `4.22`, half away from zero, exact. `–` for null. */
export function formatConsensus(consensus: string | null, marks = ENGLISH): string {
  if (consensus === null) return '–'
  const parts = parseDecimal(consensus)
  if (!parts) return consensus
  const rounded = roundDecimal(parts, PLACES)
  return `${toSign(rounded) === MINUS ? MINUS : ''}${toDigits(rounded, marks)}`
}

function formatDecimal(text: string, marks = ENGLISH): string {
  const parts = parseDecimal(text)
  return parts ? `${parts.negative ? MINUS : ''}${toDigits(parts, marks)}` : text
}

/** `'12.50'` → `+12.50%`. Never rounds; returns other text unchanged. */
export function formatPrediction(prediction: string, marks = ENGLISH): string {
  const parts = parseDecimal(prediction)
  return parts ? toPercent(parts, marks) : prediction
}

/** `'9.5049'` → `+9.50%`, rounded once. `–` for null. */
export function formatMeanPrediction(mean: string | null, marks = ENGLISH): string {
  if (mean === null) return '–'
  const parts = parseDecimal(mean)
  return parts ? toPercent(roundDecimal(parts, 2), marks) : mean
}

export const toFieldDecimal = (decimal: string, marks = ENGLISH): string =>
  decimal.replace('.', marks.decimal)

/** `1.234,5` → `1234.5`. Without a localized decimal mark, returns the text unchanged. */
export function fromFieldDecimal(text: string, { decimal, group } = ENGLISH): string {
  const [whole = '', ...fractions] = text.split(decimal)
  if (decimal === '.' || fractions.length !== 1) return text
  const plain = group === '' ? whole : whole.replaceAll(group, '')
  return `${plain.replace(/\s/g, '')}.${fractions[0]}`
}

export const createFormats = (marks: NumberMarks) => ({
  formatBytes: (bytes: number) => formatBytes(bytes, marks),
  formatConsensus: (consensus: string | null) => formatConsensus(consensus, marks),
  formatCount: (count: number) => formatCount(count, marks),
  formatCounted: (count: number, one: string, many = `${one}s`) =>
    `${formatCount(count, marks)} ${count === 1 ? one : many}`,
  formatDecimal: (text: string) => formatDecimal(text, marks),
  formatMeanPrediction: (mean: string | null) => formatMeanPrediction(mean, marks),
  formatPrediction: (prediction: string) => formatPrediction(prediction, marks),
  fromFieldDecimal: (text: string) => fromFieldDecimal(text, marks),
  toFieldDecimal: (decimal: string) => toFieldDecimal(decimal, marks),
  formatShare: (percent: number) =>
    marks.percent[0] + formatCount(percent, marks) + marks.percent[1],
})

export type Formats = ReturnType<typeof createFormats>

export const ENGLISH_FORMATS = createFormats(ENGLISH)

/** `'81%'`, rounded half up, exact. Null without votes. */
export function toAgreementText(
  agree: number,
  disagree: number,
  { formatShare }: Formats = ENGLISH_FORMATS,
): string | null {
  const votes = agree + disagree
  return votes === 0 ? null : formatShare(toWholePercent(agree, votes))
}

/** Rounded half up, exact. `whole` must be above 0. */
export const toWholePercent = (part: number, whole: number): number =>
  Math.floor((200 * part + whole) / (2 * whole))

/** `'0.6509'` → `65%`, rounded half up. */
export const toShareText = (share: string, { formatShare }: Formats = ENGLISH_FORMATS): string =>
  formatShare(toWholePercent(toTenThousandths(share), 10_000))

export const toTenThousandths = (share: string): number => Number(share.replace('.', ''))
