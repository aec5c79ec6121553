/** Groups digits by three: `1234567` → `1,234,567`. */
const toGrouped = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ',')

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

function toDigits({ whole, fraction }: DecimalParts): string {
  const grouped = toGrouped(whole)
  return fraction === '' ? grouped : `${grouped}.${fraction}`
}

const toPercent = (parts: DecimalParts): string => `${toSign(parts)}${toDigits(parts)}%`

function toSign(parts: DecimalParts): string {
  if (isZero(parts)) return ''
  return parts.negative ? MINUS : '+'
}

export const formatCount = (count: number): string =>
  `${count < 0 ? MINUS : ''}${toGrouped(Math.abs(Math.round(count)).toFixed())}`

export const formatCounted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

const UNITS = ['kB', 'MB', 'GB', 'TB']
const STEP = 1000

export function formatBytes(bytes: number): string {
  if (bytes < STEP) return `${Math.round(bytes)} B`
  let size = bytes / STEP
  let unit = 0
  while (size >= STEP - 0.5 && unit < UNITS.length - 1) {
    size /= STEP
    unit += 1
  }
  return `${size.toFixed(size < 99.95 ? 1 : 0)} ${UNITS[unit]}`
}

const PLACES = 2

/** `'4.2150'` → `4.22`, half away from zero, exact. `–` for null. */
export function formatConsensus(consensus: string | null): string {
  if (consensus === null) return '–'
  const parts = parseDecimal(consensus)
  if (!parts) return consensus
  const rounded = roundDecimal(parts, PLACES)
  return `${toSign(rounded) === MINUS ? MINUS : ''}${toDigits(rounded)}`
}

export function formatDecimal(text: string): string {
  const parts = parseDecimal(text)
  return parts ? `${parts.negative ? MINUS : ''}${toDigits(parts)}` : text
}

/** `'12.50'` → `+12.50%`. Never rounds; returns other text unchanged. */
export function formatPrediction(prediction: string): string {
  const parts = parseDecimal(prediction)
  return parts ? toPercent(parts) : prediction
}

/** `'9.5049'` → `+9.50%`, rounded once. `–` for null. */
export function formatMeanPrediction(mean: string | null): string {
  if (mean === null) return '–'
  const parts = parseDecimal(mean)
  return parts ? toPercent(roundDecimal(parts, 2)) : mean
}

export const formatShare = (percent: number): string => `${formatCount(percent)}%`

/** `'81%'`, rounded half up, exact. Null without votes. */
export function toAgreementText(agree: number, disagree: number): string | null {
  const votes = agree + disagree
  return votes === 0 ? null : formatShare(Math.floor((200 * agree + votes) / (2 * votes)))
}
