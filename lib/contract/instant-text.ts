import { LAST_SECOND } from './rating-fields.ts'

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,3})?Z$/
/** Fewer digits could be a year or a date without hyphens. */
const EPOCH = /^\d{10,12}$/

/**
 * Parses `2024`, `2024-01`, `2024-01-31` (first second, UTC), `2024-01-31T12:30:00Z`, or seconds
 * since 1970. Null if invalid.
 */
export const parseInstant = (text: string): number | null =>
  parsePeriod(text)?.from ?? parseSecond(text)

const DAY = /^\d{4}-\d{2}-\d{2}$/

export const parseDay = (text: string): number | null =>
  DAY.test(text) ? parseInstant(text) : null

function parseSecond(text: string): number | null {
  if (EPOCH.test(text)) return within(Number(text))
  return DATE_TIME.test(text) ? parseDateTime(text) : null
}

function parseDateTime(text: string): number | null {
  const ms = Date.parse(text)
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text.slice(0, 10)) return null
  return within(Math.floor(ms / 1000))
}

const DIGITS = new Map([
  [6, 'is 6 digits: a month is written 2024-01'],
  [8, 'is 8 digits: a day is written 2024-01-31'],
  [13, 'is 13 digits: seconds since 1970 have 10'],
  [14, 'is 14 digits: a UTC date-time is written 2024-01-31T12:00:00Z'],
])

/** Returns the end of a sentence. */
export const toInstantProblem = (text: string): string =>
  (/^\d+$/.test(text) ? DIGITS.get(text.length) : undefined) ??
  'is not a day (2024-01-31), a month (2024-01), a year (2024), a UTC date-time (2024-01-31T12:00:00Z) or seconds since 1970 (10 digits)'

const within = (seconds: number) => (seconds >= 0 && seconds <= LAST_SECOND ? seconds : null)

export function toInstantText(seconds: number): string {
  const iso = new Date(seconds * 1000).toISOString()
  return seconds % 86_400 === 0 ? iso.slice(0, 10) : iso.replace('.000Z', 'Z')
}

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export const toDateText = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

const DAY_SECONDS = 86_400

/** Days since 1970 to `2024-01-31`. */
export const toDayText = (day: number): string => toInstantText(day * DAY_SECONDS)

/** Like {@link parseInstant}, but a period is its last second. */
export function parseAsof(text: string): number | null {
  const period = parsePeriod(text)
  return period ? period.to - 1 : parseSecond(text)
}

export function toAsofParameter(seconds: number): string {
  const midnight = seconds - (seconds % DAY_SECONDS)
  if (seconds === midnight) return `${toInstantText(midnight)}T00:00:00Z`
  return seconds === midnight + DAY_SECONDS - 1 ? toInstantText(midnight) : toInstantText(seconds)
}

const PERIOD = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/

/** `[from, to)`, seconds since 1970. */
export type Span = { from: number; to: number }

/** Parses `2024`, `2024-05` or `2024-05-13` (UTC). Null if invalid. */
export function parsePeriod(text: string): Span | null {
  const [, year, month, day] = PERIOD.exec(text) ?? []
  if (year === undefined) return null
  const from = parseDateTime(`${year}-${month ?? '01'}-${day ?? '01'}T00:00:00Z`)
  if (from === null) return null
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)]
  const next = day ? [y, m, d + 1] : month ? [y, m + 1, 1] : [y + 1, 0, 1]
  return { from, to: Date.UTC(next[0] ?? 0, next[1] ?? 0, next[2] ?? 1) / 1000 }
}
