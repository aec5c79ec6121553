import { LAST_SECOND } from './rating-fields.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,3})?Z$/
const EPOCH = /^\d{1,12}$/

/**
 * An instant as people write it in a URL: `2024-01-01`, `2024-01-01T12:30:00Z`, or seconds since 1970.
 * Gives whole seconds since 1970, or null where the text is none of them or names a day that does not exist.
 */
export function parseInstant(text: string): number | null {
  if (EPOCH.test(text)) return within(Number(text))
  if (!DATE.test(text) && !DATE_TIME.test(text)) return null
  const ms = Date.parse(text)
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text.slice(0, 10)) return null
  return within(Math.floor(ms / 1000))
}

const within = (seconds: number) => (seconds >= 0 && seconds <= LAST_SECOND ? seconds : null)

/** The shortest of those forms that says the same: a date at midnight, else a UTC date-time. */
export function toInstantText(seconds: number): string {
  const iso = new Date(seconds * 1000).toISOString()
  return seconds % 86_400 === 0 ? iso.slice(0, 10) : iso.replace('.000Z', 'Z')
}

/** Seconds since 1970 in the text form of the specification, `YYYY-MM-DD HH:MM:SS`, in UTC. */
export const toDateText = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

const DAY_SECONDS = 86_400

/**
 * The instant that everything is judged at, as people write it in a URL. It is read like any other instant, but that a
 * day is its last second (UTC): who asks how things stood on a day means everything of that day.
 */
export function parseAsof(text: string): number | null {
  const instant = parseInstant(text)
  return instant !== null && isDay(text) ? instant + DAY_SECONDS - 1 : instant
}

/** The shortest text that is read as this instant: the day at its last second, else a UTC date-time. */
export function toAsofParameter(seconds: number): string {
  const midnight = seconds - (seconds % DAY_SECONDS)
  if (seconds === midnight) return `${toInstantText(midnight)}T00:00:00Z`
  return seconds === midnight + DAY_SECONDS - 1 ? toInstantText(midnight) : toInstantText(seconds)
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)

const PERIOD = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/

/** From `from` on, before `to`: seconds since 1970. */
export type Span = { from: number; to: number }

/** The seconds of a year, a month or a day of UTC: `2024`, `2024-05`, `2024-05-13`. Null where the text is none. */
export function parsePeriod(text: string): Span | null {
  const [, year, month, day] = PERIOD.exec(text) ?? []
  if (year === undefined) return null
  const from = parseInstant(`${year}-${month ?? '01'}-${day ?? '01'}`)
  if (from === null) return null
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)]
  const next = day ? [y, m, d + 1] : month ? [y, m + 1, 1] : [y + 1, 0, 1]
  return { from, to: Date.UTC(next[0] ?? 0, next[1] ?? 0, next[2] ?? 1) / 1000 }
}
