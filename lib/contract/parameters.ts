import * as z from 'zod/mini'
import type { Issue } from './faults.ts'
import { parseInstant } from './instant-text.ts'
import { parsePeriod } from './period.ts'
import { PREDICTION_PATTERN, SYMBOL_MAX_LENGTH, toSymbolKey } from './rating.ts'
import { type Chosen, splitList } from './value-list.ts'

const LIST_MAX = 100
const WHOLE = /^-?\d{1,15}$/
const PAGE = /^[1-9]\d{0,6}$/
// Controls and the marks that turn writing around: nobody searches for them, and they deceive a reader.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/
const LONE_SURROGATE = /\p{Surrogate}/u

/** What stands in a URL for one parameter: every value given, in order. A schema reads it from there. */
const given = z.array(z.string())

type Read<T> = (text: string) => T | { problem: string }

const isProblem = (value: unknown): value is { problem: string } =>
  typeof value === 'object' && value !== null && 'problem' in value

/** A parameter that takes one value. `fallback` stands where it is absent. */
function one<T, F>(read: Read<T>, fallback: F) {
  return z._default(
    z.pipe(
      given,
      z.transform((values, context): T | F => {
        const value = values.length === 1 ? read(values[0] ?? '') : { problem: 'is given twice' }
        if (!isProblem(value)) return value as T
        context.issues.push({ code: 'custom', message: value.problem, input: values })
        return fallback
      }),
    ),
    fallback as never,
  )
}

/**
 * A parameter that takes several values, repeated or separated by commas ({@link splitList}); double ones count once.
 * A value with a minus before it is taken out.
 */
function list<T>(read: Read<T>) {
  return z._default(
    z.pipe(
      given,
      z.transform((values, context): Chosen<T> => {
        const result = readList(values, read)
        if (!isProblem(result)) return result
        context.issues.push({ code: 'custom', message: result.problem, input: values })
        return { only: [], not: [] }
      }),
    ),
    { only: [], not: [] } as never,
  )
}

function readList<T>(values: string[], read: Read<T>): Chosen<T> | { problem: string } {
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

/** A symbol as it stands in an address, in the form that symbols are compared in; or what is wrong with it. */
export const readSymbol: Read<string> = (text) => {
  const symbol = text.trim()
  if (symbol === '') return { problem: 'is empty' }
  if (symbol.length > SYMBOL_MAX_LENGTH) return { problem: 'is too long for a symbol' }
  if (UNPRINTABLE.test(symbol) || LONE_SURROGATE.test(symbol)) {
    return { problem: 'holds a character that cannot be printed' }
  }
  return toSymbolKey(symbol)
}

const readWhole: Read<number> = (text) =>
  WHOLE.test(text) ? Number(text) : { problem: 'is not a whole number' }

const readPage: Read<number> = (text) =>
  PAGE.test(text) ? Number(text) : { problem: 'is not a whole number from 1 to 9999999' }

const readInstant: Read<number> = (text) =>
  parseInstant(text) ?? {
    problem: 'is not a date (2024-01-31), a UTC date-time (2024-01-31T12:00:00Z) or epoch seconds',
  }

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

/** A time zone by its name in the IANA database, as the platform writes it. */
const readZone: Read<string> = (text) => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return { problem: 'is not a time zone like Europe/Berlin' }
  }
}

const readText =
  (maximum: number): Read<string> =>
  (text) => {
    if (text.length > maximum) return { problem: `is longer than ${maximum} characters` }
    if (UNPRINTABLE.test(text) || LONE_SURROGATE.test(text)) {
      return { problem: 'holds a character that cannot be printed' }
    }
    return text.trim()
  }

const readChoice =
  <T extends string>(choices: readonly T[]): Read<T> =>
  (text) =>
    choices.find((choice) => choice === text) ?? { problem: `is none of ${choices.join(', ')}` }

const readPerPage =
  (maximum: number): Read<number> =>
  (text) =>
    PAGE.test(text) && Number(text) <= maximum
      ? Number(text)
      : { problem: `is not a whole number from 1 to ${maximum}` }

/** `column`, or `-column` for descending. */
export type Sort<C extends string> = { column: C; direction: 'asc' | 'desc' }

const readSort =
  <C extends string>(columns: readonly C[]): Read<Sort<C>> =>
  (text) => {
    const column = columns.find((name) => name === text.replace(/^-/, ''))
    if (!column) return { problem: `is none of ${columns.join(', ')}` }
    return { column, direction: text.startsWith('-') ? 'desc' : 'asc' }
  }

/** The kinds of parameter that our routes take. Each reads the values of a URL and says what is wrong with them. */
export const parameter = {
  symbols: () => list(readSymbol),
  wholes: () => list(readWhole),
  decimals: () => list(readDecimal),
  periods: () => list(readPeriod),
  expiries: () => list(readExpiry),
  /** Names in an order, at most once each; whoever reads them leaves out those that he does not know. */
  names: () => one(readNames, [] as string[]),
  zone: () => one(readZone, 'UTC'),
  whole: () => one<number, null>(readWhole, null),
  page: () => one(readPage, 1),
  perPage: (maximum: number, fallback: number) => one(readPerPage(maximum), fallback),
  instant: () => one<number, null>(readInstant, null),
  day: () => one<string, null>(readDay, null),
  decimal: () => one<string, null>(readDecimal, null),
  text: (maximum: number) => one(readText(maximum), ''),
  choice: <T extends string, F extends T | null>(choices: readonly T[], fallback: F) =>
    one<T, F>(readChoice(choices), fallback),
  sort: <C extends string>(columns: readonly C[], fallback: Sort<C>) =>
    one<Sort<C>, Sort<C>>(readSort(columns), fallback),
}

type Given = Record<string, string[]>

/** The parameters of a URL, each name once; a Map first, since a name may be `__proto__`. */
export function toGiven(params: URLSearchParams): Given {
  const values = new Map<string, string[]>()
  for (const [name, value] of params) values.set(name, [...(values.get(name) ?? []), value])
  return Object.assign(Object.create(null), Object.fromEntries(values)) as Given
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; issues: Issue[] }

/** Reads the parameters of a URL by a schema. Unknown names are issues like any other. */
export function parseParameters<S extends z.ZodMiniType>(
  schema: S,
  params: URLSearchParams,
): Parsed<z.output<S>> {
  const parsed = schema.safeParse(toGiven(params))
  if (parsed.success) return { ok: true, value: parsed.data }
  return { ok: false, issues: parsed.error.issues.flatMap(toIssues) }
}

const shorten = (name: string) => (name.length > 64 ? `${name.slice(0, 64)}…` : name)

function toIssues(issue: z.core.$ZodIssue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => ({
      parameter: shorten(name),
      message: 'is not a parameter here',
    }))
  }
  return [{ parameter: String(issue.path[0] ?? ''), message: issue.message }]
}
