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
