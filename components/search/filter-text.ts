import { parseInstant, parsePeriod, toInstantText } from '#lib/contract/instant-text.ts'
import { type Field, readChosen } from '#lib/contract/lists/define-list.ts'
import { ratingList } from '#lib/contract/lists/ratings.ts'
import { isProblem, type Parameter, type Problem } from '#lib/contract/query-parameters.ts'
import type { Parameters } from '#lib/contract/query-schema.ts'
import {
  EVERY_RATING,
  parseRatingsQuery,
  type RatingsQuery,
  ratingsQuery,
} from '#lib/contract/ratings-query.ts'
import { compareValues, quoteValue } from '#lib/contract/value-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { type Item, type Operator, readWords, type Word } from './tokenizer.ts'

export type Option = { value: string; label: string }

type FilterField = {
  parameter: Parameter<unknown>
  hint: string
  examples: readonly string[]
  name: string
  options: readonly Option[]
  isOrdered: boolean
  /** By operator, the parameter that bounds the field. */
  bounds: readonly (readonly [operator: Operator, name: string])[]
}

const PARAMETERS: Parameters = ratingsQuery.parameters
const RATING_FIELDS: readonly (readonly [string, Field])[] = Object.entries(ratingList.fields)

const toWord = ({ filter }: Field): string | undefined => filter?.word ?? filter?.name

const COLUMNS: readonly Option[] = RATING_FIELDS.filter(([, { sort }]) => sort !== undefined).map(
  ([column, field]) => ({ value: column, label: toWord(field) ?? column }),
)

/** The words of the filter text, in the order of the parameters. */
export const FILTER_FIELDS: ReadonlyMap<string, FilterField> = new Map(
  ratingsQuery.order.flatMap((name): [string, FilterField][] => {
    const parameter = PARAMETERS[name]
    const [, field] = RATING_FIELDS.find(([, { filter }]) => filter?.name === name) ?? []
    if (!parameter || !(field || name === 'asof' || name === 'sort')) return []
    const { filter, range } = field ?? {}
    const options = Object.entries(filter?.words ?? {}).map(([value, { label }]) => ({
      value,
      label,
    }))
    const bounds = Object.entries(range?.bounds ?? {})
    const described = {
      parameter,
      hint: parameter.meaning.replaceAll('`', ''),
      examples: [
        parameter.example,
        ...bounds.slice(0, 1).map(([, [operator, { example }]]) => operator + example),
      ],
      name,
      options: name === 'sort' ? COLUMNS : options,
      isOrdered: filter?.by === 'values' && filter.isOrdered === true,
      bounds: bounds.map(([bound, [operator]]) => [operator, bound] as const),
    }
    return [[(field && toWord(field)) ?? name, described]]
  }),
)

const LONGEST_TEXT = 40_000
const MOST_WORDS = 100

/** `message` is a sentence without its period. */
type FilterProblem = { word: Word; message: string }

/** `bare`: words that are no filters. Without filters, they are a search and no problem. */
export type FilterText = {
  words: readonly Word[]
  bare: readonly Word[]
  query: RatingsQuery
  problem: FilterProblem | null
}

export const isBare = ({ name }: Pick<Word, 'name'>): boolean =>
  name === null || !FILTER_FIELDS.has(name)

/** Never throws. `query` holds the words before the first problem. */
export function parseFilterText(text: string): FilterText {
  const words = readWords(text.slice(0, LONGEST_TEXT))
  const bare = words.filter(isBare)
  const read: FilterText = { words, bare, query: EVERY_RATING, problem: null }
  const isLong = text.length > LONGEST_TEXT || words.length > MOST_WORDS
  const refuse = (word: Word, message: string): FilterText => ({
    ...read,
    problem: { word, message: `${toQuoted(text.slice(word.start, word.end))} ${message}` },
  })
  const parameters: [string, string][] = []
  for (const word of bare.length === words.length && !isLong ? [] : words) {
    if (isLong) return refuse(word, 'begins a text that is too long')
    const field = FILTER_FIELDS.get(word.name ?? '')
    if (!field) return refuse(word, 'is not a filter')
    const added = readFilter(field, word)
    if (isProblem(added)) return refuse(word, added.problem)
    parameters.push(...added)
    const parsed = parseRatingsQuery(new URLSearchParams(parameters))
    if (!parsed.ok) return refuse(word, toMessage(parsed.issues[0]?.message))
    read.query = parsed.value
  }
  return read
}

const toMessage = (message = 'cannot be read') =>
  /^is (below|not above|not after) /.test(message) ? 'leaves nothing between the bounds' : message

const LONGEST_QUOTED = 32

function toQuoted(text: string): string {
  const shown = [...toVisibleText(text)]
  return `“${shown.length > LONGEST_QUOTED ? `${shown.slice(0, LONGEST_QUOTED).join('')}…` : shown.join('')}”`
}

type Pairs = [name: string, value: string][]

function readFilter(field: FilterField, { isNot, items }: Word): Pairs | Problem {
  const [item, ...others] = items
  const isBounded = field.bounds.length > 0 || field.isOrdered
  if (!item || items.some((one) => one.text === '' && !one.isQuoted)) {
    return { problem: 'needs a value' }
  }
  if (items.some(({ isClosed }) => !isClosed)) return { problem: 'has a quote that does not end' }
  if (isBounded && items.some(isBound)) {
    if (isNot || others.length > 0) return { problem: 'mixes a bound or range with other values' }
    return readBounds(field, toLimits(item))
  }
  if (items.some(({ operator }) => operator !== '')) return { problem: 'takes no bounds' }
  const { list, type } = field.parameter.kind
  if (list === undefined) {
    if (isNot) return { problem: 'cannot be excluded' }
    if (others.length > 0) return { problem: 'takes one value' }
    const sign = item.isNot ? '-' : ''
    return [[field.name, sign + toValue(field, item.text)]]
  }
  const values = items.map((one) => {
    const value = type === 'expiry' ? one.text.toLowerCase() : toValue(field, one.text)
    return `${isNot || one.isNot ? '-' : ''}${quoteValue(value)}`
  })
  const unknown = items.find(({ text }) => !isOption(field, text))
  if (unknown) return { problem: `is not one of ${field.options.map(toLower).join(', ')}` }
  return [[field.name, values.join(',')]]
}

const isBound = ({ operator, isQuoted, text }: Item): boolean =>
  operator !== '' || (!isQuoted && text.includes('..'))

const toLower = ({ label }: Option) => label.toLowerCase()

const toPlain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')

const findOption = ({ options }: FilterField, text: string): Option | undefined =>
  options.find(({ value, label }) => [value, label].map(toPlain).includes(toPlain(text)))

const toValue = (field: FilterField, text: string): string => findOption(field, text)?.value ?? text

/** Codes without a label may exist. */
const isOption = (field: FilterField, text: string): boolean =>
  field.options.length === 0 ||
  findOption(field, text) !== undefined ||
  (field.parameter.kind.type === 'whole' && /^-?\d+$/.test(text))

type Limit = { operator: Operator; text: string }

/** `5..12` is `>=5` and `<=12`. */
function toLimits({ operator, isNot, text }: Item): Limit[] {
  const signed = isNot ? `-${text}` : text
  if (operator !== '') return [{ operator, text: signed }]
  const [low = '', high = ''] = signed.split('..', 2)
  const ends: Limit[] = [
    { operator: '>=', text: low },
    { operator: '<=', text: high },
  ]
  return ends.filter((end) => end.text !== '')
}

function readBounds(field: FilterField, limits: readonly Limit[]): Pairs | Problem {
  if (limits.length === 0) return { problem: 'needs a value' }
  if (field.isOrdered) return readCodes(field, limits)
  const read = field.bounds.some(([operator]) => operator === '>')
    ? limits
    : limits.map(toInstantLimit)
  return read.flatMap((limit) =>
    field.bounds
      .filter(([operator]) => operator === limit.operator)
      .map(([, name]): [string, string] => [name, limit.text]),
  )
}

/** Bounds of instants are `>=` and `<`; a period is after all of its instants. */
function toInstantLimit({ operator, text }: Limit): Limit {
  const at = parseInstant(text)
  const span = parsePeriod(text) ?? (at === null ? null : { from: at, to: at + 1 })
  const isEnd = operator === '>' || operator === '<='
  const bound = operator.startsWith('>') ? '>=' : '<'
  return { operator: bound, text: span ? toInstantText(isEnd ? span.to : span.from) : text }
}

function readCodes(field: FilterField, limits: readonly Limit[]): Pairs | Problem {
  const ends = limits.map(({ operator, text }) => ({
    operator,
    code: Number(toValue(field, text)),
  }))
  const isIn = (code: number) =>
    ends.every(({ operator, code: end }) => {
      const by = code - end
      return { '>': by > 0, '>=': by >= 0, '<': by < 0, '<=': by <= 0, '': by === 0 }[operator]
    })
  const codes = field.options.map(({ value }) => value).filter((value) => isIn(Number(value)))
  if (codes.length === 0) return { problem: 'leaves no value' }
  return [[field.name, codes.join(',')]]
}

type Query = Readonly<Record<string, unknown>>

/** Inverse of `parseFilterText`, without the page and its length. '' for every rating. */
export const toFilterText = (query: RatingsQuery): string =>
  [...FILTER_FIELDS].flatMap(([word, field]) => toFieldWords(word, field, query)).join(' ')

function toFieldWords(word: string, field: FilterField, query: Query): string[] {
  const single = field.parameter.kind.list ? '' : toSingleValue(field, query)
  return [
    ...toListWords(word, field, query),
    ...(single === '' ? [] : [`${word}:${single}`]),
    ...toBoundValues(field, query).map((bound) => `${word}:${bound}`),
  ]
}

function toListWords(word: string, { name }: FilterField, query: Query): string[] {
  const chosen = readChosen(query, name)
  const [only = [], not = []] = [chosen.only, chosen.not].map((values) =>
    [...values]
      .sort(compareValues)
      .map((value) => quoteText(typeof value === 'string' ? toVisibleText(value) : value)),
  )
  if (only.length === 0) return not.length === 0 ? [] : [`-${word}:${not.join(',')}`]
  return [`${word}:${[...only, ...not.map((text) => `-${text}`)].join(',')}`]
}

function toSingleValue({ parameter, name, options }: FilterField, query: Query): string {
  const text = String(parameter.write(query[name] ?? null))
  if (query[name] === null || text === String(parameter.write(parameter.default))) return ''
  const sign = text.startsWith('-') ? '-' : ''
  const column = text.slice(sign.length)
  if (parameter.kind.type !== 'sort') return text
  return sign + (options.find(({ value }) => value === column)?.label ?? column)
}

const toBoundValues = ({ bounds }: FilterField, query: Query): string[] =>
  bounds.flatMap(([operator, name]) => {
    const texts = query[name] === null ? [] : (PARAMETERS[name]?.write(query[name]) ?? [])
    return texts.map((text) => operator + text)
  })

// Unquoted, the parser would read these differently.
const TAKEN = /\s|^[<>]|\.\./

export function quoteText(value: string | number): string {
  const text = quoteValue(value)
  return text.startsWith('"') || !TAKEN.test(text) ? text : `"${text}"`
}
