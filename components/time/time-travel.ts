import { moveSpan } from '#components/address/time-range.ts'
import {
  fromClock,
  isEndOfDay,
  toClock,
  toZonedDay,
  zonedMidnight,
} from '#components/format/instants.ts'
import { readHere, writeHere } from '#components/ui/here.ts'
import type { FetchAnswer } from '#lib/client/fetch-api.ts'
import { ratingsOptions } from '#lib/client/query-options.ts'
import { asofQuery } from '#lib/contract/api-queries.ts'
import { readAsOf } from '#lib/contract/as-of.ts'
import { readOwn, toParams } from '#lib/contract/query-schema.ts'
import { LAST_SECOND } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING, toQueryText } from '#lib/contract/ratings-query.ts'
import { spanQuery } from '#lib/contract/span-query.ts'

/** Days of the last step; null after any other navigation. */
let stepped: number | null = null
export const lastStep = (): number | null => stepped

/** Seconds since 1970; null is now. */
export function travelTo(asof: number | null, how: 'push' | 'replace'): void {
  stepped = null
  const { pathname, search } = readHere()
  const href = toRewoundHref(asof)
  if (href !== pathname + search) writeHere(href, how)
}

export function toRewoundHref(asof: number | null): string {
  const { pathname, search } = readHere()
  const params = new URLSearchParams(search)
  params.delete('page')
  const rewound = toParams(asofQuery, { asof }, params)
  const isChart = SYMBOL_PAGE.test(pathname)
  return `${pathname}${toQueryText(isChart ? withMovedSpan(rewound, params, asof) : rewound)}`
}

const SYMBOL_PAGE = /\/symbols\/[^/]+$/

function withMovedSpan(
  rewound: URLSearchParams,
  before: URLSearchParams,
  asof: number | null,
): URLSearchParams {
  const ends = { before: readAsOf(before) ?? nowSeconds(), after: asof ?? nowSeconds() }
  return toParams(spanQuery, moveSpan(readOwn(spanQuery, before), ends), rewound)
}

/** Starts from the URL: rendering may lag. */
export function travelBy(days: number, { now, zone }: Omit<TravelStart, 'asof'>): void {
  const asof = readAsOf(new URLSearchParams(window.location.search))
  travelTo(stepFrom({ asof, now, zone }, days), asof === null ? 'push' : 'replace')
  stepped = days
}

const DAY_SECONDS = 86_400

const within = (seconds: number) => Math.min(Math.max(seconds, 0), LAST_SECOND)

export const AGO = ['week', 'month', 'quarter', 'year'] as const
type AgoChoice = (typeof AGO)[number]

const MONTHS: Readonly<Record<Exclude<AgoChoice, 'week'>, number>> = {
  month: 1,
  quarter: 3,
  year: 12,
}

export function toDayAgo(day: string, ago: AgoChoice | 'day', count = 1): string {
  if (ago === 'day') return toDayBeside(day, -count)
  if (ago === 'week') return toDayBeside(day, -7 * count)
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 - count * MONTHS[ago], 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date, last))
  return first.toISOString().slice(0, 10)
}

/** Seconds since 1970. */
export const toEndOfDay = (day: string, zone: string): number =>
  within(zonedMidnight(toDayBeside(day, 1), zone) - 1)

/** Same wall-clock time: a day of 23 or 25 hours is one step. */
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

/** Seconds since 1970; `asof` null is now. */
type TravelStart = { asof: number | null; now: number; zone: string }

/** Null is now; no step passes it. */
export function stepFrom({ asof, now, zone }: TravelStart, days: number): number | null {
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

type Stride = 1 | 7

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
  start: (stride: Stride) => change({ stride, last: stride }),
  stop: () => change({ ...current, stride: null }),
  choose: (last: Stride) => change({ stride: current.stride === null ? null : last, last }),
}

function change(to: typeof current) {
  if (to.stride === current.stride && to.last === current.last) return
  current = to
  for (const listener of listeners) listener()
}

/** Fallback for the server's clock. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

export const firstRatingOptions = (ask?: FetchAnswer) => ({
  ...ratingsOptions(
    { ...EVERY_RATING, sort: { column: 'created_at', direction: 'asc' }, per_page: 1 },
    ask,
  ),
  staleTime: Number.POSITIVE_INFINITY,
})
