import { fromClock, toZonedDay } from '#components/format/instants.ts'
import { parseDay, parsePeriod } from '#lib/contract/instant-text.ts'
import { LAST_SECOND } from '#lib/contract/rating-fields.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type RatingsView, withFilter } from '#lib/contract/ratings-view.ts'

const DAY_SECONDS = 86_400
const DAY = /^\d{4}-\d{2}-\d{2}$/
const LAST_DAY = '9999-12-31'

type Span = Pick<RatingsQuery, 'from' | 'to'>

/** Days in the zone, both inclusive; empty if unbounded. */
export const toDays = ({ from, to }: Span, zone: string): { first: string; last: string } => ({
  first: from === null ? '' : toFieldDay(from, zone),
  last: to === null ? '' : toFieldDay(to - 1, zone),
})

/** Replaces a single `created` period by its span, unless the view has another span. */
export function asSpan<V extends RatingsView>(view: V): V {
  const [period, ...others] = view.created.only
  const span = period === undefined || others.length > 0 ? null : parsePeriod(period)
  if (span === null || view.from !== null || view.to !== null) return view
  return withFilter(view, { ...span, created: { only: [], not: view.created.not } })
}

/** Date fields accept four-digit years only; east of UTC, 9999 ends in 10000. */
const toFieldDay = (seconds: number, zone: string) => {
  const day = toZonedDay(seconds, zone)
  return DAY.test(day) ? day : LAST_DAY
}

export function withFirstDay<V extends RatingsView>(view: V, day: string, zone: string): V {
  const from = toDayStart(day, 0, zone)
  const isEmpty = from !== null && view.to !== null && from >= view.to
  return withFilter(view, { from, to: isEmpty ? null : view.to })
}

export function withLastDay<V extends RatingsView>(view: V, day: string, zone: string): V {
  const to = toDayStart(day, 1, zone)
  const isEmpty = to !== null && view.from !== null && view.from >= to
  return withFilter(view, { from: isEmpty ? null : view.from, to })
}

/** `now`: seconds since 1970. */
type Clock = { now: number; zone: string }

export const withLastDays = <V extends RatingsView>(view: V, days: number, clock: Clock): V =>
  withFilter(view, { from: toLastDaysFrom(days, clock), to: null })

export const hasLastDays = (view: RatingsView, days: number, clock: Clock): boolean =>
  view.to === null && view.from === toLastDaysFrom(days, clock)

const toLastDaysFrom = (days: number, { now, zone }: Clock) =>
  toDayStart(toZonedDay(now, zone), -days, zone)

/** Clamped to valid instants. Null if `day` is invalid. */
function toDayStart(day: string, later: number, zone: string): number | null {
  const midnight = parseDay(day)
  if (midnight === null) return null
  return Math.min(Math.max(fromClock(midnight + later * DAY_SECONDS, zone), 0), LAST_SECOND)
}
