import { EASTERN, toClock } from './zoned.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

const toIso = (seconds: number) => new Date(seconds * 1000).toISOString()

/** The UTC day of an instant, in seconds since 1970: `2026-11-20`. */
export const formatDay = (seconds: number): string => toIso(seconds).slice(0, 10)

/** An instant in UTC, which says so: `2026-11-21 04:30:00 UTC`. */
export const formatUtc = (seconds: number): string =>
  `${toIso(seconds).slice(0, 19).replace('T', ' ')} UTC`

/** An instant in a zone (`Europe/Berlin`), for a sentence: `Sun 22 Nov 2026, 06:00`. */
export function formatInZone(seconds: number, zone: string): string {
  // Names and their order are our own: they differ from one browser to the next.
  const clock = new Date(toClock(seconds, zone) * 1000)
  const [weekday, month] = [WEEKDAYS[clock.getUTCDay()], MONTHS[clock.getUTCMonth()]]
  const time = clock.toISOString().slice(-13, -8)
  return `${weekday} ${clock.getUTCDate()} ${month} ${clock.getUTCFullYear()}, ${time}`
}

/** An instant as the weekly refresh names it: `Sun 22 Nov 2026, 00:00 ET`. */
export const formatEastern = (seconds: number): string => `${formatInZone(seconds, EASTERN)} ET`

/** An edition (`2026-11-15`, a Sunday) as people say it: `Sun 15 Nov 2026, 00:00 ET`. */
export function formatEdition(edition: string): string {
  const midnight = Date.parse(`${edition}T00:00:00Z`)
  return Number.isNaN(midnight) ? edition : `${formatInZone(midnight / 1000, 'UTC')} ET`
}

/** What is left until an instant, in two units: `1 d 13 h`, `4 h 12 min`, `3 min`. `0 min` once it has come. */
export function formatCountdown(seconds: number, now: number): string {
  const left = Math.max(0, seconds - now)
  const days = Math.floor(left / DAY)
  const hours = Math.floor((left % DAY) / HOUR)
  const minutes = Math.floor((left % HOUR) / MINUTE)
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`
  return `${minutes} min`
}
