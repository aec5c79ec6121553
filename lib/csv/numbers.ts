/** `decimal` null: reject ambiguous numbers. */
export type NumberFormat = { decimal: '.' | ',' | null }

export type DecimalResult = { value: string } | { reason: string }

/** Tolerated share of contrary evidence. */
const MISTAKES = 0.05

type NumberEvidence = {
  see(cell: string): void
  /** In comma-separated files, a comma separates thousands unless the column contradicts it. */
  format(delimiter: string): NumberFormat
}

/** Must see the whole column: its last cell may be the only one that shows the mark. */
export function createNumberEvidence(): NumberEvidence {
  const counts = { '.': 0, ',': 0, ambiguous: 0, ambiguousComma: 0 }
  return {
    see(cell) {
      const parts = splitNumber(cell)
      if (!parts) return
      const mark = selectMark(parts)
      if (mark === '.' || mark === ',') counts[mark] += 1
      if (mark === 'ambiguous') counts.ambiguous += 1
      if (mark === 'ambiguous' && parts.body.includes(',')) counts.ambiguousComma += 1
    },
    format(delimiter) {
      const [dots, commas] = [counts['.'], counts[',']]
      if (dots > 0 && commas <= dots * MISTAKES) return { decimal: '.' }
      if (commas > 0 && dots <= commas * MISTAKES) {
        const isContrary = delimiter === ',' && counts.ambiguous > 0
        return { decimal: isContrary ? null : ',' }
      }
      if (dots > 0 || commas > 0) return { decimal: null }
      const isUsual = delimiter === ',' || (delimiter !== ';' && counts.ambiguousComma === 0)
      return { decimal: isUsual ? '.' : null }
    },
  }
}

/** Exact. `5%` is 0.05; parentheses negate. The reason is the end of a sentence. */
export function readDecimal(text: string, { decimal }: NumberFormat): DecimalResult {
  const parts = splitNumber(text)
  if (!parts) return { reason: 'is not a number' }
  const mark = selectMark(parts)
  if (mark === 'none') return { reason: 'is not a number' }
  if (mark === 'ambiguous' && decimal === null) return { reason: AMBIGUOUS }
  const isOther = (mark === '.' || mark === ',') && decimal !== null && mark !== decimal
  if (isOther) return { reason: 'uses a different decimal mark than the rest of its column' }
  return { value: toPlain(parts, mark === '.' || mark === ',' ? mark : (decimal ?? '.')) }
}

/** Without the number, so that rows are grouped by reason. */
const AMBIGUOUS = 'can be read as two numbers: its column does not show the decimal mark'

type NumberParts = { isNegative: boolean; body: string; exponent: number }

const CURRENCY = String.raw`(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3}|kr\.?|zł|Kč|Ft|Fr\.?|lei|R)`
const NUMBER = new RegExp(
  String.raw`^(?<sign>[+-]?)\s*(?:${CURRENCY})?\s*(?<inner>[+-]?)\s*` +
    String.raw`(?<body>[\d.,](?:[\d.,' ]*[\d.,])?)(?:[eE](?<exponent>[+-]?\d{1,3}))?` +
    String.raw`\s*(?<percent>%?)\s*(?:${CURRENCY})?$`,
  'u',
)

const NUMBER_MAX_LENGTH = 64

function splitNumber(text: string): NumberParts | null {
  if (text.length > NUMBER_MAX_LENGTH) return null
  const plain = text
    .replace(/[\s\u00a0\u2007\u2009\u202f]+/g, ' ')
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/[\u2019\u02bc]/g, "'")
    .trim()
  const bracketed = /^\((.*)\)$/.exec(plain)?.[1]
  const groups = NUMBER.exec(bracketed ?? plain)?.groups
  if (!groups) return null
  const { sign = '', inner = '', body = '', exponent = '0', percent = '' } = groups
  if ((sign !== '' && inner !== '') || (bracketed !== undefined && sign + inner !== '')) return null
  const isNegative = bracketed !== undefined || sign === '-' || inner === '-'
  return { isNegative, body, exponent: Number(exponent) - (percent === '' ? 0 : 2) }
}

const WHOLE = /^\d+$/
const SPACED = /^[1-9]\d{0,2}(?:([ '])\d{3})(?:\1\d{3})*(?:[.,]\d*)?$/
const READINGS = {
  '.': /^(?:\d*|[1-9]\d{0,2}(?:,\d{2,3})*,\d{3})(?:\.\d*)?$/,
  ',': /^(?:\d*|[1-9]\d{0,2}(?:\.\d{2,3})*\.\d{3})(?:,\d*)?$/,
}

function selectMark({ body }: NumberParts): '.' | ',' | 'whole' | 'ambiguous' | 'none' {
  if (WHOLE.test(body)) return 'whole'
  if (!/\d/.test(body)) return 'none'
  if (/[ ']/.test(body)) {
    if (!SPACED.test(body)) return 'none'
    return body.includes('.') ? '.' : body.includes(',') ? ',' : 'whole'
  }
  const [isDot, isComma] = [READINGS['.'].test(body), READINGS[','].test(body)]
  if (isDot && isComma) return 'ambiguous'
  return isDot ? '.' : isComma ? ',' : 'none'
}

function toPlain({ isNegative, body, exponent }: NumberParts, decimal: '.' | ','): string {
  const thousands = decimal === '.' ? /[, ']/g : /[. ']/g
  const [whole = '', fraction = ''] = body.replace(thousands, '').split(decimal)
  const digits = `${whole}${fraction}`
  const point = whole.length + exponent
  const padded = point <= 0 ? `${'0'.repeat(1 - point)}${digits}` : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, '')
  const places = padded.slice(at)
  return `${isNegative ? '-' : ''}${integer}${places === '' ? '' : `.${places}`}`
}
