import { withFilter } from '#components/address/ratings-address.ts'
import { fromClock, isZonedMidnight, toZonedDay, toZonedText } from '#components/format/instants.ts'
import { parseDay, parsePeriod } from '#lib/contract/instant-text.ts'
import { ZONE_DEFAULT } from '#lib/contract/outlook.ts'
import { LAST_SECOND } from '#lib/contract/rating-fields.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'

const DAY_SECONDS = 86_400
const DAY = /^\d{4}-\d{2}-\d{2}$/
const LAST_DAY = '9999-12-31'

/** From when to when ratings were posted, as the query holds it: `from` inclusive, `to` exclusive. */
type Span = Pick<RatingsQuery, 'from' | 'to'>

/** What the two date fields show: the first and the last day of the view's zone that are in the span, or nothing. */
export const toDays = ({ from, to, tz }: Span & Zoned): { first: string; last: string } => ({
  first: from === null ? '' : toFieldDay(from, tz),
  last: to === null ? '' : toFieldDay(to - 1, tz),
})

/** The view with the span of its one day, month or year (`created=2025`) in place of that, where it has no other span. */
export function asSpan<V extends RatingsView>(view: V): V {
  const [period, ...others] = view.created.only
  const span = period === undefined || others.length > 0 ? null : parsePeriod(period)
  if (span === null || view.from !== null || view.to !== null) return view
  return withFilter(view, { ...span, created: { only: [], not: view.created.not } })
}

type Zoned = Pick<RatingsView, 'tz'>

/** A field's years have four digits: the last evening of 9999 is shown as that day in the east too. */
const toFieldDay = (seconds: number, zone: string) => {
  const day = toZonedDay(seconds, zone)
  return DAY.test(day) ? day : LAST_DAY
}

/** The view from the first second of a day on; an end that lies before it goes. */
export function withFirstDay<V extends RatingsView>(view: V, day: string): V {
  const from = toDayStart(day, 0, view.tz)
  const isEmpty = from !== null && view.to !== null && from >= view.to
  return withFilter(view, { from, to: isEmpty ? null : view.to })
}

/** The view until the last second of a day; a beginning that lies behind it goes. */
export function withLastDay<V extends RatingsView>(view: V, day: string): V {
  const to = toDayStart(day, 1, view.tz)
  const isEmpty = to !== null && view.from !== null && view.from >= to
  return withFilter(view, { from: isEmpty ? null : view.from, to })
}

/** The view from the midnight that lies `days` days before today's, open at its end. */
export const withLastDays = <V extends RatingsView>(view: V, days: number, now: number): V =>
  withFilter(view, { from: toLastDaysFrom(days, now, view.tz), to: null })

/** Is that the span that the view has? */
export const hasLastDays = (view: RatingsView, days: number, now: number): boolean =>
  view.to === null && view.from === toLastDaysFrom(days, now, view.tz)

const toLastDaysFrom = (days: number, now: number, zone: string) =>
  toDayStart(toZonedDay(now, zone), -days, zone)

/** The span as people say it in a zone, or null where there is none. */
export function toSpanText({ from, to }: Span, zone: string = ZONE_DEFAULT): string | null {
  if (from === null && to === null) return null
  if (from === null) return `until ${toEnd(to ?? 0, zone)}`
  if (to === null) return `since ${toReadableInstant(from, zone)}`
  const [beginning, end] = [toReadableInstant(from, zone), toEnd(to, zone)]
  return beginning === end ? `on ${beginning}` : `${beginning} to ${end}`
}

/** The last day where a day ends there, else the instant itself. */
const toEnd = (seconds: number, zone: string) =>
  isZonedMidnight(seconds, zone) ? toZonedDay(seconds - 1, zone) : toReadableInstant(seconds, zone)

/** `2021-01-01` where that day begins, else `2021-01-01 12:30`. */
const toReadableInstant = (seconds: number, zone: string = ZONE_DEFAULT) =>
  isZonedMidnight(seconds, zone)
    ? toZonedDay(seconds, zone)
    : toZonedText(seconds, zone, seconds % 60 === 0 ? 'minute' : 'second')

/** Where a day (`2024-06-30`) begins, or one so many days later; within the instants that there are. Null: no day. */
function toDayStart(day: string, later: number, zone: string): number | null {
  const midnight = parseDay(day)
  if (midnight === null) return null
  return Math.min(Math.max(fromClock(midnight + later * DAY_SECONDS, zone), 0), LAST_SECOND)
}
