import { fromClock, toClock, toZonedDay, zonedMidnight } from '#components/format/zoned.ts'
import { LAST_SECOND } from '#lib/contract/rating-fields.ts'
import { isEndOfDay } from './asof-text.ts'

const DAY_SECONDS = 86_400

const within = (seconds: number) => Math.min(Math.max(seconds, 0), LAST_SECOND)

/** The last second of a day (`2024-08-02`) in a zone, in seconds since 1970: all that was posted that day is in. */
export const toEndOfDay = (day: string, zone: string): number =>
  within(zonedMidnight(toDayBeside(day, 1), zone) - 1)

/**
 * The same time of day so many days later, or before, by the clock of a zone: a day of 23 or 25 hours is one step, the
 * end of a day leads to the end of another, and a day that the zone left out is passed over.
 */
export function stepDays(seconds: number, days: number, zone: string): number {
  const step = (by: number) => {
    if (isEndOfDay(seconds, zone)) {
      return toEndOfDay(toDayBeside(toZonedDay(seconds, zone), by), zone)
    }
    return within(fromClock(toClock(seconds, zone) + by * DAY_SECONDS, zone))
  }
  const stepped = step(days)
  return stepped === seconds ? step(days + Math.sign(days)) : stepped
}

/** Where a reader stands, in seconds since 1970; `asof` null is now. */
type From = { asof: number | null; now: number; zone: string }

/**
 * Where a step of so many days leads; null is now. From now it goes by whole days, the last full one first, and no
 * step leaps over now.
 */
export function stepFrom({ asof, now, zone }: From, days: number): number | null {
  const start = asof ?? toEndOfDay(toZonedDay(now, zone), zone)
  const stepped = stepDays(start, days, zone)
  if (asof === null) return stepped
  const isPast = asof < now
  return isPast === stepped < now ? stepped : null
}

function toDayBeside(day: string, days: number): string {
  const midnight = Date.parse(`${day.length > 10 ? '+0' : ''}${day}T00:00:00Z`)
  return new Date(midnight + days * DAY_SECONDS * 1000)
    .toISOString()
    .replace(/^\+0/, '')
    .slice(0, -14)
}
