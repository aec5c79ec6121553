import {
  fromClock,
  isEndOfDay,
  toClock,
  toZonedDay,
  zonedMidnight,
} from '#components/format/instants.ts'
import { readHere, writeHere } from '#components/ui/here.ts'
import type { Ask } from '#lib/client/fetch-api.ts'
import { ratingsOptions } from '#lib/client/query-options.ts'
import { outlookQuery, readOutlook } from '#lib/contract/outlook.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { LAST_SECOND } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING, toQueryText } from '#lib/contract/ratings-query.ts'

/** By how many days the page came to where it stands; null where it came there otherwise. */
let stepped: number | null = null
export const lastStep = (): number | null => stepped

/**
 * Rewinds the page in sight to an instant (seconds since 1970; null is now) by its address. `push` leaves a step to come
 * back to, `replace` does not. Another instant has other rows: the pages of a table begin again.
 */
export function travelTo(asof: number | null, how: 'push' | 'replace'): void {
  stepped = null
  const { pathname, search } = readHere()
  const href = toRewoundHref(asof)
  if (href !== pathname + search) writeHere(href, how)
}

/** The address of the page in sight at another instant. */
export function toRewoundHref(asof: number | null): string {
  const { pathname, search } = readHere()
  const params = new URLSearchParams(search)
  params.delete('page')
  return `${pathname}${toQueryText(toParams(outlookQuery, { asof }, params))}`
}

/**
 * Goes so many days on or back from where the page stands at this moment: what is drawn may lag behind, and quick steps
 * all count. `now` is in seconds since 1970. Leaving now leaves a step to come back to, going on from there does not.
 */
export function travelBy(days: number, now: number): void {
  const { asof, tz: zone } = readOutlook(new URLSearchParams(window.location.search))
  travelTo(stepFrom({ asof, now, zone }, days), asof === null ? 'push' : 'replace')
  stepped = days
}

const DAY_SECONDS = 86_400

const within = (seconds: number) => Math.min(Math.max(seconds, 0), LAST_SECOND)

/** How far back people ask for most. */
export const AGO = ['week', 'month', 'quarter', 'year'] as const
export type Ago = (typeof AGO)[number]

const MONTHS: Readonly<Record<Exclude<Ago, 'week'>, number>> = { month: 1, quarter: 3, year: 12 }

/** The same day `count` weeks, months or years before; the month's last day where it has no such day. */
export function toDayAgo(day: string, ago: Ago | 'day', count = 1): string {
  if (ago === 'day') return toDayBeside(day, -count)
  if (ago === 'week') return toDayBeside(day, -7 * count)
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 - count * MONTHS[ago], 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date, last))
  return first.toISOString().slice(0, 10)
}

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

/** By how many days a step of playing goes. */
export type Stride = 1 | 7

/** What plays, null where nothing does, and what was chosen last. There is one for the whole page. */
let current: { stride: Stride | null; last: Stride } = { stride: null, last: 1 }
const listeners = new Set<() => void>()

export const playing = {
  read: (): Stride | null => current.stride,
  last: (): Stride => current.last,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  /** Begins, or goes on in other steps. */
  start: (stride: Stride) => change({ stride, last: stride }),
  stop: () => change({ ...current, stride: null }),
  /** Chooses the steps of what plays, now or later. */
  choose: (last: Stride) => change({ stride: current.stride === null ? null : last, last }),
}

function change(to: typeof current) {
  if (to.stride === current.stride && to.last === current.last) return
  current = to
  for (const listener of listeners) listener()
}

/** Now by the reader's own clock: only where the server's was never heard. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** The first rating of all, as the only one of a page. The first stays the first: it is asked for once. */
export const firstRatingOptions = (ask?: Ask) => ({
  ...ratingsOptions(
    { ...EVERY_RATING, sort: { column: 'created_at', direction: 'asc' }, per_page: 1 },
    ask,
  ),
  staleTime: Number.POSITIVE_INFINITY,
})
