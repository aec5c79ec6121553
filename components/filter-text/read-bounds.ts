import { parseInstant, parsePeriod, type Span, toInstantText } from '#lib/contract/instant-text.ts'
import { CODES, isCodeName, readCode } from './code-words.ts'
import type { Item, Word } from './read-words.ts'
import { PREDICTION_BOUNDS } from './vocabulary.ts'
import { problem, type Reading, toEnds, toQuoted, toRaw, toValueText } from './word-reading.ts'

/** A decimal as screens write it too: `+12.50%`, and with a true minus. */
export const toDecimalText = (text: string): string => text.replace(/^−/, '-').replace(/%$/, '')

/** A word whose one value is a bound or a range. */
export function readBounds(name: string, word: Word): Reading {
  const [item, ...others] = word.items
  if (!item || others.length > 0) return problem(`${name}: a bound or a range stands alone`)
  if (word.isNot || (item.isNot && item.operator !== '')) {
    return problem(`${name}: a bound cannot be taken out, only turned round`)
  }
  if (name === 'prediction') return readPrediction(item)
  if (name === 'created') return readCreated(item)
  if (name === 'rating') return readRatings(item)
  const takes = isCodeName(name) ? 'has no order' : 'takes values, no bounds'
  return problem(`${name} ${toQuoted(toValueText(word))}: ${name} ${takes}`)
}

function readPrediction(item: Item): Reading {
  if (item.operator === '') {
    const { low, high } = toEnds(item)
    if (low + high === '') return problem('prediction “..” has no end')
    const ends = [['prediction_min', low] as const, ['prediction_max', high] as const]
    const given = ends.filter(([, end]) => end !== '')
    return { parameters: given.map(([name, end]) => [name, toDecimalText(end)]) }
  }
  const value = toDecimalText(toRaw(item))
  if (value === '') return problem(`prediction ${toQuoted(item.operator)} needs a number`)
  const bounds = PREDICTION_BOUNDS.filter(([, operator]) => operator === item.operator)
  return { parameters: bounds.map(([name]) => [name, value]) }
}

/** When ratings were posted is asked by `from` and `to`; a day, a month or a year counts whole. */
function readCreated(item: Item): Reading {
  const ends = item.operator === '' ? toEnds(item) : { low: toRaw(item), high: toRaw(item) }
  const [low, high] = [readSpan(ends.low), readSpan(ends.high)]
  const isWrong = (end: string, span: Span | null) =>
    span === null && (end !== '' || item.operator !== '')
  if (isWrong(ends.low, low) || isWrong(ends.high, high) || !(low || high)) {
    const wrong = toQuoted(isWrong(ends.low, low) ? ends.low : ends.high)
    return problem(`created: ${wrong} is not a day (2024-01-31), a month (2024-01) or a year`)
  }
  const from = { '': low?.from, '>=': low?.from, '>': low?.to, '<': undefined, '<=': undefined }
  const to = { '': high?.to, '<': high?.from, '<=': high?.to, '>': undefined, '>=': undefined }
  const parameters: [string, string][] = []
  for (const [name, at] of [
    ['from', from[item.operator]],
    ['to', to[item.operator]],
  ] as const) {
    if (at !== undefined) parameters.push([name, toInstantText(at)])
  }
  return { parameters }
}

/** The seconds of a day, a month or a year, or the one second of an instant. */
function readSpan(text: string): Span | null {
  const at = parseInstant(text)
  return parsePeriod(text) ?? (at === null ? null : { from: at, to: at + 1 })
}

/** A bound on ratings leaves the codes of our own scale that lie within it. */
function readRatings(item: Item): Reading {
  const ends = item.operator === '' ? toEnds(item) : { low: toRaw(item), high: toRaw(item) }
  const codeOf = (text: string): number | null => {
    const read = readCode('rating', text)
    return 'code' in read ? Number(read.code) : null
  }
  const [low, high] = [codeOf(ends.low), codeOf(ends.high)]
  if (
    (ends.low !== '' && low === null) ||
    (ends.high !== '' && high === null) ||
    ends.low + ends.high === ''
  ) {
    return problem(
      `rating ${toQuoted(item.operator + toRaw(item))} is not a bound like >=4 or 3..5`,
    )
  }
  const isLeft = (code: number) => {
    if (item.operator === '') return code >= (low ?? code) && code <= (high ?? code)
    const by = code - (low ?? code)
    return { '>': by > 0, '>=': by >= 0, '<': by < 0, '<=': by <= 0 }[item.operator]
  }
  const codes = CODES.rating.filter(({ code }) => isLeft(code))
  if (codes.length === 0)
    return problem(`rating ${toQuoted(item.operator + toRaw(item))} leaves none`)
  return { parameters: [['rating', codes.map(({ code }) => code).join(',')]] }
}
