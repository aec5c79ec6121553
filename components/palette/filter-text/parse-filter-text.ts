import { UTC } from '#components/format/instants.ts'
import { joinByOr } from '#components/format/texts.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { parseInstant, parsePeriod, type Span, toInstantText } from '#lib/contract/instant-text.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  EVERY_RATING,
  isListName,
  parseRatingsQuery,
  type RatingsQuery,
} from '#lib/contract/ratings-query.ts'
import { quoteValue } from '#lib/contract/value-list.ts'
import { fromVisibleText, toVisibleText } from '#lib/contract/visible-text.ts'
import { type Clock, type Phrase, readPhrase } from './phrases.ts'
import { NUMBER, withoutLastComma } from './plain-words.ts'
import { quoteText } from './to-filter-text.ts'
import { type Item, readWords, type Word } from './tokenizer.ts'
import {
  isCodeName,
  isDisplayName,
  isOrdered,
  isWordName,
  kindOf,
  readCode,
  SORT_NAMES,
  selectBounds,
  suggestName,
  toPeriodName,
  type Value,
  valuesOf,
} from './vocabulary.ts'
import { NOTHING_WATCHED, readWatched, type WatchedValues } from './watched-words.ts'

export const LONGEST_TEXT = 40_000
const MOST_WORDS = 1000

/** Range `[start, end)`. `isUnknown`: an unknown symbol, which may still name a page or action. */
export type FilterProblem = {
  start: number
  end: number
  message: string
  fixes: string[]
  isUnknown?: boolean
}

/** `query` holds only the valid words. */
export type FilterText = {
  words: Word[]
  query: RatingsQuery
  problems: FilterProblem[]
  bare: readonly string[]
  context: TextContext
}

/** `unknown`: keys of symbols without ratings. */
type TextContext = Clock & {
  watched: WatchedValues
  unknown: ReadonlySet<string>
}

const NO_CONTEXT: TextContext = {
  now: null,
  zone: UTC,
  watched: NOTHING_WATCHED,
  unknown: new Set(),
}

type ParsedWord = { word: Word; parameters: [string, string][] }

/** Never throws. */
export function parseFilterText(text: string, some: Partial<TextContext> = {}): FilterText {
  const context = { ...NO_CONTEXT, ...some }
  const input: ParseInput = { text, context, bare: new Set() }
  if (text.length > LONGEST_TEXT) return refuseAll(input, `${LONGEST_TEXT} characters`)
  const words = readWords(text)
  if (words.length > MOST_WORDS) return refuseAll(input, `${MOST_WORDS} words`)
  const problems: FilterProblem[] = []
  const refuse: Refuse = ({ start, end }, message, { fixes = [], isUnknown } = {}) => {
    problems.push({ start, end, message, fixes, isUnknown })
  }
  const said = joinPhrases(words, context).flatMap(({ word, phrase }): ParsedWord[] => {
    const read = phrase ? readPhrased(phrase, input) : readWord(word, input)
    if ('problem' in read) {
      refuse(word, read.problem, read)
      return []
    }
    const parsed = parseRatingsQuery(new URLSearchParams(read.parameters))
    if (parsed.ok) return [{ word, parameters: read.parameters }]
    refuse(word, toMessage(word, parsed.issues[0]))
    return []
  })
  const query = parseTogether(withoutSecond(said, refuse), refuse)
  const inOrder = problems.sort((a, b) => a.start - b.start)
  return { words, query, problems: inOrder, bare: [...input.bare], context }
}

type Part = { word: Word; phrase: Phrase | null }

type ParseInput = { text: string; context: TextContext; bare: Set<string> }

function readWord(word: Word, input: ParseInput): ParseResult {
  const { text, context } = input
  const whole = withoutLastComma(word)
  if (word.name === 'watched' && word.items.every(({ fault }) => fault === null)) {
    return readWatched(whole, context.watched)
  }
  return readParameters(whole, text.slice(word.start, word.end), input)
}

function readPhrased(
  { parameters, taken = [], problem: wrong }: Phrase,
  input: ParseInput,
): ParseResult {
  if (wrong !== undefined) return problem(wrong)
  const readings = taken.map((word) => readWord(word, input))
  const refused = readings.find((reading) => 'problem' in reading)
  const said = readings.flatMap((reading) => ('problem' in reading ? [] : reading.parameters))
  return refused ?? { parameters: [...parameters, ...said] }
}

function joinPhrases(words: readonly Word[], clock: Clock): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < words.length; ) {
    const [word, phrase] = [words[at], readPhrase(words, at, clock)]
    const last = words[at + (phrase?.words ?? 1) - 1]
    if (word && last) {
      const name = phrase?.parameters[0]?.[0] ?? phrase?.taken?.[0]?.name ?? word.name
      parts.push({ word: { ...word, end: last.end, name }, phrase })
    }
    at += phrase?.words ?? 1
  }
  return parts
}

const refuseAll = ({ text, context }: ParseInput, limit: string): FilterText => ({
  context,
  words: [],
  bare: [],
  query: EVERY_RATING,
  problems: [{ start: 0, end: text.length, message: `The text has more than ${limit}`, fixes: [] }],
})

type Refuse = (word: Word, message: string, more?: Partial<FilterProblem>) => void

function withoutSecond(said: readonly ParsedWord[], refuse: Refuse): ParsedWord[] {
  const seen = new Set<string>()
  return said.filter(({ word, parameters }) => {
    const again = parameters.find(([name]) => !isListName(name) && seen.has(name))
    for (const [name] of parameters) seen.add(name)
    if (again) refuse(word, `${word.name} ${toQuoted(toValueText(word))} is given twice`)
    return !again
  })
}

/** Drops words until the rest parses: valid words may conflict. */
function parseTogether(said: readonly ParsedWord[], refuse: Refuse): RatingsQuery {
  let rest = said
  for (;;) {
    const parameters = rest.flatMap((one) => one.parameters)
    const parsed = parseRatingsQuery(new URLSearchParams(parameters))
    if (parsed.ok) return parsed.value
    const [issue] = parsed.issues
    const named = rest.findLast((one) => one.parameters.some(([name]) => name === issue?.parameter))
    if (!named) return EVERY_RATING
    refuse(named.word, toMessage(named.word, issue))
    rest = rest.filter((one) => one !== named)
  }
}

function toMessage(word: Word, issue: Issue | undefined): string {
  const subject = `${word.name ?? 'symbol'} ${toQuoted(toValueText(word))}`
  if (issue === undefined) return `${subject} cannot be read`
  if (/^is (below|not above) prediction_/.test(issue.message)) {
    return `${subject} leaves nothing between the bounds of the prediction`
  }
  if (issue.message === 'is not after from' && word.name !== 'to') {
    return `${subject} leaves no time between its ends`
  }
  return `${subject} ${issue.message}`
}

export const toBareNumber = ({ name, isNot, items }: Word): number | null => {
  const [item, ...others] = items
  if (name !== null || isNot || !item || others.length > 0 || item.isQuoted) return null
  const number = NUMBER.test(toRaw(item)) ? Number(item.text.replace('#', '')) : Number.NaN
  return Number.isSafeInteger(number) ? number : null
}

function readParameters(word: Word, written: string, input: ParseInput): ParseResult {
  const faulty = word.items.find(({ fault }) => fault !== null)
  if (faulty) {
    const where =
      faulty.fault === 'open' ? 'a quote that does not end' : 'text after a closing quote'
    return problem(`${toQuoted(fromVisibleText(written))} has ${where}`)
  }
  if (word.name === null) return readBare(word, written, input)
  if (!isWordName(word.name)) return refuseName(word, written)
  if (word.items.every(({ operator, text, isQuoted }) => operator + text === '' && !isQuoted)) {
    return problem(`${word.name} needs a value`)
  }
  if (isListName(word.name)) return readList(word.name, word)
  return readSingle(word.name, word)
}

function refuseName({ name, isNot, valueStart, start }: Word, written: string): ParseResult {
  if (name === null || isDisplayName(name)) {
    return problem(`${name} is not a filter: it sets how the table is shown`)
  }
  const meant = suggestName(name)
  if (meant === null) {
    return problem(`${toQuoted(`${name}:`)} is not a filter`, [`symbol:${quoteText(written)}`])
  }
  const rest = written.slice(valueStart - start)
  const fix = `${isNot ? '-' : ''}${meant}:${rest}`
  return problem(`${toQuoted(`${name}:`)} is not a filter. Did you mean ${meant}?`, [fix])
}

function readBare(word: Word, written: string, { context, bare }: ParseInput): ParseResult {
  const [item] = word.items
  if (item && isCompared(item) && item.operator !== '') {
    return problem(
      `${toQuoted(fromVisibleText(written))} has no field. Did you mean the prediction?`,
      [`prediction:${written.replace(/^-/, '')}`],
    )
  }
  if (word.items.every(({ text, isQuoted }) => !isQuoted && NUMBER.test(text))) {
    const sign = word.isNot ? '-' : ''
    const numbers = word.items.map(({ text }) => text.replace('#', '')).join(',')
    return problem(
      `${toQuoted(fromVisibleText(written))} could be a user, a rating or a symbol: name the field`,
      ['user', 'id', 'symbol'].map((name) => `${sign}${name}:${numbers}`),
    )
  }
  const reading = readList('symbol', word)
  if ('problem' in reading) return reading
  for (const { text } of word.items) bare.add(text)
  const unknown = word.items.find(({ text }) => context.unknown.has(toSymbolKey(text)))
  if (!unknown) return reading
  return { ...problem(`No symbol is called ${toQuoted(unknown.text)}`), isUnknown: true }
}

function readList(name: string, word: Word): ParseResult {
  if (name !== 'symbol' && word.items.some(isCompared)) return readBounds(name, word)
  if (word.items.some(({ operator }) => operator !== '')) {
    return problem(`${name} ${toQuoted(toValueText(word))}: ${name} takes values, no bounds`)
  }
  const values: string[] = []
  for (const item of word.items) {
    if (word.isNot && item.isNot) return problem(`${name}: one minus is enough to exclude a value`)
    const value = toValue(name, item)
    if (typeof value !== 'string') return value
    values.push(`${word.isNot || item.isNot ? '-' : ''}${quoteValue(value)}`)
  }
  return { parameters: [[name, values.join(',')]] }
}

function toValue(name: string, { text, isQuoted }: Item): string | ParseResult {
  if (text === '' && !isQuoted) return problem(`${name} has a comma with no value beside it`)
  if (isCodeName(name)) {
    const read = readCode(name, text)
    return 'code' in read ? read.code : refuseLabel(name, text, read.like)
  }
  const kind = kindOf(name)
  if (kind === 'choice') return readChoice(name, text)
  if (isQuoted) return text
  if (kind === 'decimal') return toDecimalText(text)
  if (kind === 'expiry') return text.toLowerCase()
  return kind === 'whole' ? text.replace(/^#/, '').replace(/^−/, '-') : text
}

function refuseLabel(name: string, text: string, like: readonly Value[]): ParseResult {
  const labels = like.map(({ label }) => label.toLowerCase())
  return problem(
    `${name} ${toQuoted(text)} is not a label. Did you mean ${joinByOr(labels)}?`,
    like.map(({ label }) => `${name}:${quoteText(label.toLowerCase())}`),
  )
}

function readSingle(name: string, word: Word): ParseResult {
  const [item, ...others] = word.items
  const value = toValueText(word)
  if (word.isNot) {
    const fixes = name === 'sort' && item && !item.isNot ? [`sort:-${value}`] : []
    return problem(`${name} cannot be excluded`, fixes)
  }
  if (!item || others.length > 0) return problem(`${name} takes one value`)
  if (item.operator !== '') {
    const period = toPeriodName(name)
    return problem(`${name} takes no bounds`, period === null ? [] : [`${period}:${value}`])
  }
  return { parameters: [[name, toSingle(name, value)]] }
}

function toSingle(name: string, value: string): string {
  const kind = kindOf(name)
  if (kind === 'choice') return value.toLowerCase()
  if (kind === 'sort') {
    const [, sign, column = ''] = /^(-?)(.*)$/s.exec(value) ?? []
    const plain = column.toLowerCase()
    return `${sign ?? ''}${Object.hasOwn(SORT_NAMES, plain) ? SORT_NAMES[plain] : plain}`
  }
  return kind === 'decimal' ? toDecimalText(value) : value
}

/** Accepts displayed forms: `+12.50%`, U+2212. */
const toDecimalText = (text: string): string => text.replace(/^−/, '-').replace(/%$/, '')

function readBounds(name: string, word: Word): ParseResult {
  const [item, ...others] = word.items
  if (!item || others.length > 0) return problem(`${name}: a bound or a range stands alone`)
  if (word.isNot || (item.isNot && item.operator !== '')) {
    return problem(`${name}: a bound cannot be taken out, only turned round`)
  }
  const bounds = selectBounds(name)
  if (bounds.length > 0) {
    const isDecimal = kindOf(name) === 'decimal'
    return isDecimal ? readDecimals(name, item, bounds) : readPeriods(name, item, bounds)
  }
  if (isOrdered(name)) return readCodes(name, item)
  const takes = isCodeName(name) ? 'has no order' : 'takes values, no bounds'
  return problem(`${name} ${toQuoted(toValueText(word))}: ${name} ${takes}`)
}

type Bounds = ReturnType<typeof selectBounds>

/** Of the bounds with one of these operators. */
const toParameters = (bounds: Bounds, operator: string, value: string): [string, string][] =>
  bounds.filter((bound) => bound.operator === operator).map(({ name }) => [name, value])

function readDecimals(name: string, item: Item, bounds: Bounds): ParseResult {
  if (item.operator === '') {
    const { low, high } = toEnds(item)
    if (low + high === '') return problem(`${name} “..” has no end`)
    return {
      parameters: [
        ...(low === '' ? [] : toParameters(bounds, '>=', toDecimalText(low))),
        ...(high === '' ? [] : toParameters(bounds, '<=', toDecimalText(high))),
      ],
    }
  }
  const value = toDecimalText(toRaw(item))
  if (value === '') return problem(`${name} ${toQuoted(item.operator)} needs a number`)
  return { parameters: toParameters(bounds, item.operator, value) }
}

function readPeriods(name: string, item: Item, bounds: Bounds): ParseResult {
  const ends = item.operator === '' ? toEnds(item) : { low: toRaw(item), high: toRaw(item) }
  const [low, high] = [readSpan(ends.low), readSpan(ends.high)]
  const isWrong = (end: string, span: Span | null) =>
    span === null && (end !== '' || item.operator !== '')
  if (isWrong(ends.low, low) || isWrong(ends.high, high) || !(low || high)) {
    const wrong = toQuoted(isWrong(ends.low, low) ? ends.low : ends.high)
    return problem(`${name}: ${wrong} is not a day (2024-01-31), a month (2024-01) or a year`)
  }
  const from = { '': low?.from, '>=': low?.from, '>': low?.to, '<': undefined, '<=': undefined }
  const to = { '': high?.to, '<': high?.from, '<=': high?.to, '>': undefined, '>=': undefined }
  const [first, end] = [from[item.operator], to[item.operator]]
  return {
    parameters: [
      ...(first === undefined ? [] : toParameters(bounds, '>=', toInstantText(first))),
      ...(end === undefined ? [] : toParameters(bounds, '<', toInstantText(end))),
    ],
  }
}

function readSpan(text: string): Span | null {
  const at = parseInstant(text)
  return parsePeriod(text) ?? (at === null ? null : { from: at, to: at + 1 })
}

function readCodes(name: string, item: Item): ParseResult {
  const ends = item.operator === '' ? toEnds(item) : { low: toRaw(item), high: toRaw(item) }
  const codeOf = (text: string): number | null => {
    const read = readCode(name, text)
    return 'code' in read ? Number(read.code) : null
  }
  const [low, high] = [codeOf(ends.low), codeOf(ends.high)]
  if (
    (ends.low !== '' && low === null) ||
    (ends.high !== '' && high === null) ||
    ends.low + ends.high === ''
  ) {
    return problem(
      `${name} ${toQuoted(item.operator + toRaw(item))} is not a bound like >=4 or 3..5`,
    )
  }
  const isLeft = (code: number) => {
    if (item.operator === '') return code >= (low ?? code) && code <= (high ?? code)
    const by = code - (low ?? code)
    return { '>': by > 0, '>=': by >= 0, '<': by < 0, '<=': by <= 0 }[item.operator]
  }
  const codes = valuesOf(name).filter(({ value }) => isLeft(Number(value)))
  if (codes.length === 0)
    return problem(`${name} ${toQuoted(item.operator + toRaw(item))} leaves none`)
  return { parameters: [[name, codes.map(({ value }) => value).join(',')]] }
}

const toPlain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')

function readChoice(name: string, text: string): string | ParseResult {
  const word = toPlain(text)
  const choices = valuesOf(name)
  const namesOf = ({ value, label }: Value) => [value, toPlain(label)]
  const found = choices.find((choice) => namesOf(choice).includes(word))
  if (found) return found.value
  const like = choices.filter((choice) => namesOf(choice).some((one) => one.includes(word)))
  const meant = (word === '' || like.length === 0 ? choices : like).map(({ value }) => value)
  return problem(
    `${name} ${toQuoted(text)} is not one of ${meant.join(', ')}`,
    meant.map((choice) => `${name}:${choice}`),
  )
}

type ParseResult = { parameters: [name: string, value: string][] } | Problem
type Problem = { problem: string; fixes: string[]; isUnknown?: boolean }

const LONGEST = 32

function toQuoted(text: string): string {
  const shown = [...toVisibleText(text)]
  return `“${shown.length > LONGEST ? `${shown.slice(0, LONGEST).join('')}…` : shown.join('')}”`
}

const problem = (text: string, fixes: string[] = []): Problem => ({ problem: text, fixes })

const toRaw = ({ isNot, text }: Item): string => `${isNot ? '-' : ''}${text}`

const toValueText = ({ items }: Word): string =>
  items.map((item) => `${item.operator}${toRaw(item)}`).join(',')

const isCompared = ({ operator, isQuoted, text }: Item): boolean =>
  operator !== '' || (!isQuoted && text.includes('..'))

/** An open end is ''. */
function toEnds(item: Item): { low: string; high: string } {
  const raw = toRaw(item)
  const at = raw.indexOf('..')
  return { low: raw.slice(0, at), high: raw.slice(at + 2) }
}
