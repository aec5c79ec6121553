import type { Issue } from './faults.ts'
import { parseAsof, parseInstant, parsePeriod, toInstantProblem } from './instant-text.ts'
import { PREDICTION_PATTERN, SYMBOL_MAX_LENGTH, toSymbolKey } from './rating-fields.ts'
import { type Chosen, splitList } from './value-list.ts'

/** What is wrong with what an address says, as the end of a sentence: `is not a whole number`. */
export type Problem = { problem: string }

export const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'problem' in value

/** How the values of one name in an address are read, all of them in order; `absent` stands where there are none. */
export type Parameter<T> = { read: (values: readonly string[]) => T | Problem; absent: T }

export type Parameters = Readonly<Record<string, Parameter<unknown>>>

export type ValuesOf<P extends Parameters> = {
  -readonly [K in keyof P]: P[K] extends Parameter<infer T> | undefined ? T : never
}

/** Which parameters an address takes, and what is wrong with values that are right one by one. */
export type QuerySchema<P extends Parameters> = {
  parameters: P
  refuse: (values: ValuesOf<P>) => readonly Issue[]
}

/** The values that a schema reads. */
export type QueryOf<S> = S extends QuerySchema<infer P> ? ValuesOf<P> : never

export const querySchema = <P extends Parameters>(
  parameters: P,
  refuse: QuerySchema<P>['refuse'] = () => [],
): QuerySchema<P> => ({ parameters, refuse })

/** What an address says that says nothing. */
export const toDefaults = <P extends Parameters>({ parameters }: QuerySchema<P>): ValuesOf<P> =>
  toValues(parameters, ({ absent }) => absent)

export type Parsed<T> = { ok: true; value: T } | { ok: false; issues: readonly Issue[] }

/** Reads the parameters of a URL by a schema. Unknown names are issues like any other. */
export function parseParameters<P extends Parameters>(
  { parameters, refuse }: QuerySchema<P>,
  params: URLSearchParams,
): Parsed<ValuesOf<P>> {
  const issues: Issue[] = []
  const value = toValues(parameters, ({ read, absent }, name) => {
    const given = params.getAll(name)
    if (given.length === 0) return absent
    const result = read(given)
    if (!isProblem(result)) return result
    issues.push({ parameter: name, message: result.problem })
    return absent
  })
  for (const name of new Set(params.keys())) {
    if (Object.hasOwn(parameters, name)) continue
    issues.push({ parameter: shorten(name), message: 'is not a parameter here' })
  }
  if (issues.length > 0) return { ok: false, issues }
  const refused = refuse(value)
  return refused.length === 0 ? { ok: true, value } : { ok: false, issues: refused }
}

/** Each parameter gives the value of its own name: this is where that is believed. */
function toValues<P extends Parameters>(
  parameters: P,
  toValue: (parameter: Parameter<unknown>, name: string) => unknown,
): ValuesOf<P> {
  const entries = Object.entries(parameters).map(([name, parameter]) => [
    name,
    toValue(parameter, name),
  ])
  return Object.fromEntries(entries) as ValuesOf<P>
}

const LONGEST_NAME = 64

const shorten = (name: string) =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name

/** Is it that name which an issue speaks of? Very long ones are shortened there. */
const isAbout = (issue: Issue, name: string): boolean => issue.parameter === shorten(name)

/**
 * The nearest valid query to a page's address, and what had to be ignored to get there: a page shows what it can,
 * where the API refuses.
 */
export function readLeniently<P extends Parameters>(
  schema: QuerySchema<P>,
  params: URLSearchParams,
): { query: ValuesOf<P>; ignored: Issue[] } {
  let rest = new URLSearchParams(params)
  const ignored: Issue[] = []
  for (;;) {
    const parsed = parseParameters(schema, rest)
    if (parsed.ok) return { query: parsed.value, ignored }
    ignored.push(...parsed.issues)
    const kept = [...rest].filter(([name]) => !parsed.issues.some((issue) => isAbout(issue, name)))
    // An issue that names no parameter of this address would be found for ever.
    rest = new URLSearchParams(kept.length < [...rest].length ? kept : [])
  }
}

const LIST_MAX = 100
const WHOLE = /^-?\d{1,16}$/
const PAGE = /^[1-9]\d{0,6}$/
// Half a character is none in UTF-8, and a database ends a text at its null. Whatever else a service may send can be
// asked for: what is invisible is written out where it is shown.
const REFUSED = /[\p{Surrogate}\0]/u

type Read<T> = (text: string) => T | Problem

/** A parameter that takes one value. `absent` stands where it is not there. */
function one<T, F>(read: Read<T>, absent: F): Parameter<T | F> {
  return {
    absent,
    read: (values) => (values.length === 1 ? read(values[0] ?? '') : { problem: 'is given twice' }),
  }
}

/**
 * A parameter that takes several values, repeated or separated by commas ({@link splitList}); double ones count once.
 * A value with a minus before it is taken out.
 */
const list = <T>(read: Read<T>): Parameter<Chosen<T>> => ({
  absent: { only: [], not: [] },
  read: (values) => readList(values, read),
})

function readList<T>(values: readonly string[], read: Read<T>): Chosen<T> | Problem {
  const written = values.map(splitList)
  if (written.includes(null)) return { problem: 'holds a quote that does not end' }
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

const UNPRINTABLE = 'holds a character that cannot be printed'

/** A symbol as it stands in an address, in the form that symbols are compared in; or what is wrong with it. */
export const readSymbol: Read<string> = (text) => {
  if (text === '') return { problem: 'is empty' }
  if (text.length > SYMBOL_MAX_LENGTH) return { problem: 'is too long for a symbol' }
  if (REFUSED.test(text)) return { problem: UNPRINTABLE }
  return toSymbolKey(text)
}

/** Any whole number that an id may be; what is too large to be exact is none. */
const readWhole: Read<number> = (text) => {
  // Minus zero is zero.
  const whole = WHOLE.test(text) ? Number(text) + 0 : Number.NaN
  return Number.isSafeInteger(whole) ? whole : { problem: 'is not a whole number' }
}

const readPage: Read<number> = (text) =>
  PAGE.test(text) ? Number(text) : { problem: 'is not a whole number from 1 to 9999999' }

const readInstant: Read<number> = (text) =>
  parseInstant(text) ?? { problem: toInstantProblem(text) }

const readAsof: Read<number> = (text) => parseAsof(text) ?? { problem: toInstantProblem(text) }

const readDay: Read<string> = (text) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(text) !== null
    ? text
    : { problem: 'is not a date like 2024-01-31' }

const readDecimal: Read<string> = (text) =>
  PREDICTION_PATTERN.test(text) ? text : { problem: 'is not a decimal number' }

const readPeriod: Read<string> = (text) =>
  parsePeriod(text) ? text : { problem: 'is not a day (2024-01-31), a month (2024-01) or a year' }

/** The value of `expires` for ratings that no time ends. */
export const NEVER_EXPIRES = 'never'

const readExpiry: Read<string> = (text) => (text === NEVER_EXPIRES ? text : readPeriod(text))

const readNames: Read<string[]> = (text) => {
  const names = text.split(',')
  if (names.length > LIST_MAX) return { problem: `takes at most ${LIST_MAX} values` }
  const isName = (name: string) => /^[a-z_]{1,64}$/.test(name)
  return names.every(isName) ? [...new Set(names)] : { problem: 'is not a list of names' }
}

/**
 * A time zone by its name in the IANA database. One of several names for the same zone stays the one that was given:
 * platforms differ in which of them they call it by, and server and browser must write the same.
 */
const readZone: Read<string> = (text) => {
  const problem = { problem: 'is not a time zone like Europe/Berlin' }
  // Some platforms know offsets as zones (`+05:30`), others refuse them.
  if (!/^[a-z][\w+\-/]{0,63}$/i.test(text)) return problem
  try {
    const named = new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone
    if (/^(etc\/)?utc$/i.test(text)) return 'UTC'
    return named.toLowerCase() === text.toLowerCase() ? named : text
  } catch {
    return problem
  }
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
  choices.length === 1 ? `is not ${choices[0]}` : `is none of ${choices.join(', ')}`

const readPerPage =
  (maximum: number): Read<number> =>
  (text) =>
    PAGE.test(text) && Number(text) <= maximum
      ? Number(text)
      : { problem: `is not a whole number from 1 to ${maximum}` }

/** `column`, or `-column` for descending. */
export type Sort<C extends string> = { column: C; direction: 'asc' | 'desc' }

/** The same as an address writes it. */
export const toSortText = ({ column, direction }: Sort<string>): string =>
  direction === 'desc' ? `-${column}` : column

/** The order as an address names it; null where it is the one that is meant without a word. */
export function toSortParameter(sort: Sort<string>, standard: Sort<string>): string | null {
  const text = toSortText(sort)
  return text === toSortText(standard) ? null : text
}

const readSort =
  <C extends string>(columns: readonly C[]): Read<Sort<C>> =>
  (text) => {
    const column = columns.find((name) => name === text.replace(/^-/, ''))
    if (!column) return { problem: toNoChoice(columns) }
    return { column, direction: text.startsWith('-') ? 'desc' : 'asc' }
  }

/** The kinds of parameter that our routes take. Each reads the values of a URL and says what is wrong with them. */
export const parameter = {
  symbols: () => list(readSymbol),
  wholes: () => list(readWhole),
  decimals: () => list(readDecimal),
  periods: () => list(readPeriod),
  expiries: () => list(readExpiry),
  /** Some of a few words. */
  choices: <const T extends string>(choices: readonly T[]) => list(readChoice(choices)),
  /** Names in an order, at most once each; whoever reads them leaves out those that he does not know. */
  names: () => one(readNames, [] as string[]),
  zone: () => one(readZone, 'UTC'),
  whole: () => one<number, null>(readWhole, null),
  page: () => one(readPage, 1),
  perPage: (maximum: number, fallback: number) => one(readPerPage(maximum), fallback),
  instant: () => one<number, null>(readInstant, null),
  asof: () => one<number, null>(readAsof, null),
  day: () => one<string, null>(readDay, null),
  decimal: () => one<string, null>(readDecimal, null),
  text: (maximum: number) => one(readText(maximum), ''),
  texts: (maximum: number) => list(readText(maximum)),
  choice: <const T extends string, const F extends T | null>(
    choices: readonly T[],
    fallback: F,
  ): Parameter<T | F> => one<T, F>(readChoice(choices), fallback),
  sort: <C extends string>(columns: readonly C[], fallback: Sort<C>) =>
    one<Sort<C>, Sort<C>>(readSort(columns), fallback),
}
