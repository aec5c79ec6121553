import { moveSpan } from '#components/address/time-range.ts'
import { zonedMidnight } from '#components/format/instants.ts'
import { readHere, writeHere } from '#components/ui/here.ts'
import { asofQuery } from '#lib/contract/api-queries.ts'
import { readAsOf } from '#lib/contract/as-of.ts'
import { readOwn, toParams } from '#lib/contract/query-schema.ts'
import { LAST_SECOND } from '#lib/contract/rating-fields.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { spanQuery } from '#lib/contract/span-query.ts'

/** Seconds since 1970; null is now. */
export function travelTo(asof: number | null): void {
  const { pathname, search } = readHere()
  const href = toRewoundHref(asof)
  if (href !== pathname + search) writeHere(href, 'push')
}

function toRewoundHref(asof: number | null): string {
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

/** Fallback for the server's clock. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

export const AGO = ['week', 'month', 'quarter', 'year'] as const
type AgoChoice = (typeof AGO)[number]

const MONTHS: Readonly<Record<Exclude<AgoChoice, 'week'>, number>> = {
  month: 1,
  quarter: 3,
  year: 12,
}

export function toDayAgo(day: string, ago: AgoChoice): string {
  if (ago === 'week') return toDayBeside(day, -7)
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 - MONTHS[ago], 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date, last))
  return first.toISOString().slice(0, 10)
}

/** Seconds since 1970. */
export const toEndOfDay = (day: string, zone: string): number =>
  Math.min(Math.max(zonedMidnight(toDayBeside(day, 1), zone) - 1, 0), LAST_SECOND)

function toDayBeside(day: string, days: number): string {
  const midnight = Date.parse(`${day.length > 10 ? '+0' : ''}${day}T00:00:00Z`)
  return new Date(midnight + days * DAY_MS).toISOString().replace(/^\+0/, '').slice(0, -14)
}

const DAY_MS = 86_400_000
