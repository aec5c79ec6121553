import { parseInstant, toInstantText } from '#lib/contract/instant-text.ts'
import { LAST_SECOND } from '#lib/contract/rating.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { withFilter } from './query-change.ts'

const DAY_SECONDS = 86_400
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** From when to when ratings were posted, as the query holds it: `from` inclusive, `to` exclusive. */
type Span = Pick<RatingsQuery, 'from' | 'to'>

/** The day of an instant, UTC, as a date field shows it. */
const toDay = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** What the two date fields show: the first and the last day that are in the span, or nothing. */
export const toDays = ({ from, to }: Span): { first: string; last: string } => ({
  first: from === null ? '' : toDay(from),
  last: to === null ? '' : toDay(to - 1),
})

/** The query from the first second of a day on; an end that lies before it goes. */
export function withFirstDay<Q extends RatingsQuery>(query: Q, day: string): Q {
  const from = parseDay(day)
  const isEmpty = from !== null && query.to !== null && from >= query.to
  return withFilter(query, { from, to: isEmpty ? null : query.to })
}

/** The query until the last second of a day; a beginning that lies behind it goes. */
export function withLastDay<Q extends RatingsQuery>(query: Q, day: string): Q {
  const first = parseDay(day)
  const to = first === null ? null : Math.min(first + DAY_SECONDS, LAST_SECOND)
  const isEmpty = to !== null && query.from !== null && query.from >= to
  return withFilter(query, { from: isEmpty ? null : query.from, to })
}

/** The query from the midnight (UTC) that lies `days` days before today's, open at its end. */
export const withLastDays = <Q extends RatingsQuery>(query: Q, days: number, now: number): Q =>
  withFilter(query, { from: Math.max(toLastDaysFrom(days, now), 0), to: null })

/** Is that the span that the query has? */
export const hasLastDays = (query: RatingsQuery, days: number, now: number): boolean =>
  query.to === null && query.from === toLastDaysFrom(days, now)

const toLastDaysFrom = (days: number, now: number) =>
  (Math.floor(now / DAY_SECONDS) - days) * DAY_SECONDS

/** The span as people say it, or null where there is none. */
export function toSpanText({ from, to }: Span): string | null {
  if (from === null && to === null) return null
  if (from === null) return `until ${toEnd(to ?? 0)}`
  if (to === null) return `since ${toReadableInstant(from)}`
  const [beginning, end] = [toReadableInstant(from), toEnd(to)]
  return beginning === end ? `on ${beginning}` : `${beginning} to ${end}`
}

/** The last day where a day ends there, else the instant itself. */
const toEnd = (seconds: number) =>
  seconds % DAY_SECONDS === 0 ? toDay(seconds - 1) : toReadableInstant(seconds)

/** `2021-01-01` at midnight, else `2021-01-01 12:30` (UTC). */
export const toReadableInstant = (seconds: number) =>
  toInstantText(seconds)
    .replace('T', ' ')
    .replace(/(:00)?Z$/, '')

const parseDay = (text: string) => (DAY.test(text) ? parseInstant(text) : null)
