import {
  parseAsof,
  parseDay,
  parseInstant,
  parsePeriod,
  toAsofParameter,
  toInstantProblem,
  toInstantText,
} from './instant-text.ts'
import { PREDICTION_PATTERN, SYMBOL_KEY_MAX_LENGTH, toSymbolKey } from './rating-fields.ts'
import { type Chosen, splitList, toListText } from './value-list.ts'

/** The end of a sentence: `is not a whole number`. */
export type Problem = { problem: string }

export const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'problem' in value

export type Kind = {
  type:
    | ('asof' | 'choice' | 'day' | 'decimal' | 'expiry' | 'filters' | 'instant')
    | ('names' | 'period' | 'sort' | 'symbol' | 'text' | 'whole')
  values?: readonly string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  list?: { most: number; excludes: boolean; isSorted: boolean }
}

export type Parameter<T> = {
  read: (values: readonly string[]) => T | Problem
  // Declared as a method for bivariance: schemas are records of `Parameter<unknown>`.
  /** `read` is the inverse. */
  write(value: T): readonly string[]
  /** Applies if the parameter is missing; never written. */
  default: T
  meaning: string
  example: string
  kind: Kind
  unset?: string
  isRequired?: true
}

const LIST_MAX = 100
const WHOLE = /^-?\d{1,16}$/
const PAGE = /^[1-9]\d{0,6}$/
const PAGE_MAX = 9_999_999

const PER_PAGE_DEFAULT = 50
const PER_PAGE_MAX = 500
// Lone surrogates are not valid UTF-8, and databases end text at NUL.
const REFUSED = /[\p{Surrogate}\0]/u

type Read<T> = (text: string) => T | Problem

type About = Pick<Parameter<unknown>, 'meaning' | 'example' | 'kind' | 'unset'>

const one = <T>(
  read: Read<T>,
  write: (value: T) => string,
  fallback: T,
  about: About,
): Parameter<T> => ({
  ...about,
  default: fallback,
  read: (values) => (values.length === 1 ? read(values[0] ?? '') : { problem: 'is given twice' }),
  write: (value) => [write(value)].filter((text) => text !== ''),
})

const optional = <T>(read: Read<T>, write: (value: T) => string, about: About) =>
  one<T | null>(read, (value) => (value === null ? '' : write(value)), null, about)

const about = (meaning: string, example: string, kind: Kind): About => ({ meaning, example, kind })

const sameText = (text: string) => text

type ListOptions = Partial<NonNullable<Kind['list']>> & Pick<Parameter<unknown>, 'isRequired'>

/** Duplicates count once. Sorted unless `isSorted` is false. */
function list<T extends string | number>(
  read: Read<T>,
  { kind, ...about }: About,
  { isRequired, ...options }: ListOptions = {},
): Parameter<Chosen<T>> {
  const how = { most: LIST_MAX, excludes: true, isSorted: true, ...options }
  return {
    ...about,
    kind: { ...kind, list: how },
    isRequired,
    default: { only: [], not: [] },
    read: (values) => readList(values, read),
    write: (chosen) => [toListText(chosen, how.isSorted)].filter((text) => text !== ''),
  }
}

function readList<T>(values: readonly string[], read: Read<T>): Chosen<T> | Problem {
  const written = values.map(splitList)
  if (written.includes(null)) return { problem: 'has a quote that is never closed' }
  const items = written.flatMap((some) => some ?? [])
  if (items.length > LIST_MAX) return { problem: `takes at most ${LIST_MAX} values` }
  const chosen = { only: new Set<T>(), not: new Set<T>() }
  for (const { isNot, text } of items) {
    const value = read(text)
    if (isProblem(value)) return value
    chosen[isNot ? 'not' : 'only'].add(value)
  }
  return { only: [...chosen.only], not: [...chosen.not] }
}

const UNPRINTABLE = 'contains an unprintable character'

export const readSymbol: Read<string> = (text) => {
  if (text === '') return { problem: 'is empty' }
  if (text.length > SYMBOL_KEY_MAX_LENGTH) return { problem: 'is too long for a symbol' }
  if (REFUSED.test(text)) return { problem: UNPRINTABLE }
  return toSymbolKey(text)
}

export const readWhole: Read<number> = (text) => {
  // Turns -0 into 0.
  const whole = WHOLE.test(text) ? Number(text) + 0 : Number.NaN
  return Number.isSafeInteger(whole) ? whole : { problem: 'is not a whole number' }
}

const readWholeTo =
  (maximum: number): Read<number> =>
  (text) =>
    PAGE.test(text) && Number(text) <= maximum
      ? Number(text)
      : { problem: `is not a whole number from 1 to ${maximum}` }

const readInstant: Read<number> = (text) =>
  parseInstant(text) ?? { problem: toInstantProblem(text) }

const readAsof: Read<number> = (text) => parseAsof(text) ?? { problem: toInstantProblem(text) }

const readDay: Read<string> = (text) =>
  parseDay(text) === null ? { problem: 'is not a date like 2024-01-31' } : text

const readDecimal: Read<string> = (text) =>
  PREDICTION_PATTERN.test(text) ? text : { problem: 'is not a decimal number' }

const readPeriod: Read<string> = (text) =>
  parsePeriod(text) ? text : { problem: 'is not a day (2024-01-31), a month (2024-01) or a year' }

export const NEVER_EXPIRES = 'never'

const readExpiry: Read<string> = (text) => (text === NEVER_EXPIRES ? text : readPeriod(text))

const readNames: Read<string[]> = (text) => {
  const names = text.split(',')
  if (names.length > LIST_MAX) return { problem: `takes at most ${LIST_MAX} values` }
  const isName = (name: string) => /^[a-z_]{1,64}$/.test(name)
  return names.every(isName) ? [...new Set(names)] : { problem: 'is not a list of names' }
}

const readText =
  (maximum: number): Read<string> =>
  (text) => {
    if (text.length > maximum) return { problem: `is longer than ${maximum} characters` }
    if (REFUSED.test(text)) return { problem: UNPRINTABLE }
    return text.trim()
  }

const readChoice =
  <T extends string>(choices: readonly T[]): Read<T> =>
  (text) =>
    choices.find((choice) => choice === text) ?? { problem: toNoChoice(choices) }

const toNoChoice = (choices: readonly string[]) =>
  choices.length === 1 ? `is not ${choices[0]}` : `is not one of ${choices.join(', ')}`

/** `column`, or `-column` for descending. */
export type Sort<C extends string> = { column: C; direction: 'asc' | 'desc' }

const readSort =
  <C extends string>(columns: readonly C[]): Read<Sort<C>> =>
  (text) => {
    const column = columns.find((name) => name === text.replace(/^-/, ''))
    if (!column) return { problem: toNoChoice(columns) }
    return { column, direction: text.startsWith('-') ? 'desc' : 'asc' }
  }

const toSortText = ({ column, direction }: Sort<string>): string =>
  direction === 'desc' ? `-${column}` : column

const count = (maximum: number, fallback: number, meaning: string, example: string) =>
  one(
    readWholeTo(maximum),
    String,
    fallback,
    about(meaning, example, { type: 'whole', minimum: 1, maximum }),
  )

const withExcluded = (values: readonly string[]) => values.flatMap((value) => [value, `-${value}`])

export const parameter = {
  symbols: (meaning = 'Symbols, case-insensitive.', options?: ListOptions) =>
    list(readSymbol, about(meaning, 'AAPL', { type: 'symbol' }), options),
  wholes: (meaning: string, example: string, options?: ListOptions) =>
    list(readWhole, about(meaning, example, { type: 'whole' }), options),
  decimals: (meaning: string, example: string) =>
    list(readDecimal, about(meaning, example, { type: 'decimal' })),
  periods: (meaning: string, example: string) =>
    list(readPeriod, about(meaning, example, { type: 'period' })),
  expiries: (meaning: string, example: string) =>
    list(readExpiry, about(meaning, example, { type: 'expiry' })),
  choices: <const T extends string>(
    choices: readonly T[],
    meaning: string,
    values: readonly string[] = withExcluded(choices),
  ) => list(readChoice(choices), about(meaning, choices[0] ?? '', { type: 'choice', values })),
  texts: (maximum: number, meaning: string, example: string) =>
    list(readText(maximum), about(meaning, example, { type: 'text', maxLength: maximum })),
  names: (meaning: string, example: string, values?: readonly string[]) =>
    one<readonly string[]>(
      readNames,
      String,
      [],
      about(meaning, example, { type: 'names', values }),
    ),
  whole: (meaning: string, example = '1') =>
    optional(readWhole, String, about(meaning, example, { type: 'whole' })),
  page: () => count(PAGE_MAX, 1, 'Page number.', '1'),
  perPage: () => count(PER_PAGE_MAX, PER_PAGE_DEFAULT, 'Rows per page.', '10'),
  count,
  instant: (meaning: string, example: string, unset?: string) =>
    optional(readInstant, toInstantText, {
      ...about(meaning, example, { type: 'instant' }),
      unset,
    }),
  asof: (meaning = 'Show the data as of this instant.') =>
    optional(readAsof, toAsofParameter, {
      ...about(meaning, '2026-01-31', { type: 'asof' }),
      unset: 'now.',
    }),
  day: (meaning: string, example: string, unset: string) =>
    optional(readDay, sameText, { ...about(meaning, example, { type: 'day' }), unset }),
  decimal: (meaning: string, example: string) =>
    optional(readDecimal, sameText, about(meaning, example, { type: 'decimal' })),
  text: (maximum: number, meaning: string, example: string) =>
    one(
      readText(maximum),
      sameText,
      '',
      about(meaning, example, { type: 'text', maxLength: maximum }),
    ),
  choice: <const T extends string, const F extends T | null>(
    choices: readonly T[],
    fallback: F,
    meaning: string,
  ): Parameter<T | F> =>
    one<T | F>(
      readChoice(choices),
      (value) => value ?? '',
      fallback,
      about(meaning, choices[0] ?? '', { type: 'choice', values: choices }),
    ),
  sort: <C extends string>(columns: readonly C[], fallback: Sort<C>) =>
    one(
      readSort(columns),
      toSortText,
      fallback,
      about('Sort column. A minus sorts in descending order.', columns[0] ?? '', {
        type: 'sort',
        values: columns,
      }),
    ),
}
