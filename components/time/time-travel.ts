import { usePathname } from 'next/navigation'
import { zonedMidnight } from '#components/format/instants.ts'
import { useUrlQuery } from '#lib/client/url-query.ts'
import { asofPageQuery, spanQuery } from '#lib/contract/api-queries.ts'
import { LAST_SECOND } from '#lib/contract/rating-fields.ts'
import { moveSpan } from './time-range.ts'

const SYMBOL_PAGE = /^\/symbols\/[^/]+$/

/** `asof`: seconds since 1970; null is now. The range of a symbol's chart moves along. */
export function useTimeTravel(): (asof: number | null) => void {
  const isChart = SYMBOL_PAGE.test(usePathname() ?? '')
  const { query, setQuery: setTime } = useUrlQuery(asofPageQuery)
  const { setQuery: setSpan } = useUrlQuery(spanQuery)
  return (asof) => {
    const ends = { before: query.asof ?? nowSeconds(), after: asof ?? nowSeconds() }
    if (isChart) setSpan((span) => moveSpan(span, ends))
    setTime({ asof, page: 1 })
  }
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
