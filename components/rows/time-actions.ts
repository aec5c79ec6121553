import { toZonedDay, zonedMidnight } from '#components/format/instants.ts'
import { withFilter } from '#components/ratings/query-change.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { ZONE_DEFAULT } from '#lib/contract/outlook.ts'
import { NEVER_EXPIRES } from '#lib/contract/parameters.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { ANY, isAny, only } from '#lib/contract/value-list.ts'
import { NO_EXPIRY } from './cell-values.ts'
import { isOnly, withExcluded } from './exclude.ts'
import { ANY_OF, type AskedActions, type FilterAction } from './filter-action.ts'

const NO_SPAN = { from: null, to: null }

/**
 * The day or the month in which a rating was posted, or all but that day. In a zone other than UTC the day and the
 * month are its own, as the table writes them: they are asked as a span, since the query's periods are UTC's.
 */
export function createdActions({ row, view, reading: { zone } }: AskedActions): FilterAction[] {
  const day = toZonedDay(row.created_at, zone)
  const month = day.slice(0, 7)
  const utcDay = toUtcDay(row.created_at)
  const actions = [day, month]
    .map((period) => ({ period, filter: toCreatedFilter(period, zone) }))
    .filter(({ filter }) => !holds(view, filter))
    .map(({ period, filter }) => ({
      label: `Only ${period}`,
      to: (last: RatingsView) => withFilter(last, filter),
    }))
  actions.push({
    label: `Not ${utcDay}${toZoneNote(zone)}`,
    to: (last) =>
      withFilter(last, { created: withExcluded(last.created, utcDay, { overlaps: true }) }),
  })
  if (!isAny(view.created) || view.from !== null || view.to !== null) {
    actions.push({
      label: ANY_OF.created_at,
      to: (last) => withFilter(last, { ...NO_SPAN, created: ANY }),
    })
  }
  return actions
}

type CreatedFilter = Pick<RatingsView, 'from' | 'to' | 'created'>

function toCreatedFilter(period: string, zone: string): CreatedFilter {
  if (zone === ZONE_DEFAULT) return { ...NO_SPAN, created: only(period) }
  const first = period.length === 7 ? `${period}-01` : period
  return { created: ANY, from: zonedMidnight(first, zone), to: zonedMidnight(toNext(period), zone) }
}

/** The first day behind a day or a month. */
function toNext(period: string): string {
  const [year = 0, month = 1, day] = period.split('-').map(Number)
  const next = day ? Date.UTC(year, month - 1, day + 1) : Date.UTC(year, month, 1)
  return new Date(next).toISOString().slice(0, 10)
}

const holds = (view: RatingsView, { from, to, created }: CreatedFilter) =>
  view.from === from &&
  view.to === to &&
  (created.only[0] === undefined ? isAny(view.created) : isOnly(view.created, created.only[0]))

/** The day or the month in which a rating lapses, or all but it; or those that nothing ends. */
export function expiryActions({ row, view, reading: { zone } }: AskedActions): FilterAction[] {
  const day = row.expired_at ? toUtcDay(row.expired_at) : null
  const note = day === null ? '' : toZoneNote(zone)
  const periods = day === null ? [NEVER_EXPIRES] : [day, day.slice(0, 7)]
  const words = (period: string) => (period === NEVER_EXPIRES ? NO_EXPIRY : `${period}${note}`)
  const actions: FilterAction[] = periods
    .filter((period) => !isOnly(view.expires, period))
    .map((period) => ({
      label: `Only ${words(period)}`,
      to: (last) => withFilter(last, { expires: only(period) }),
    }))
  const out = day ?? NEVER_EXPIRES
  actions.push({
    label: `Not ${words(out)}`,
    to: (last) =>
      withFilter(last, { expires: withExcluded(last.expires, out, { overlaps: day !== null }) }),
  })
  if (!isAny(view.expires)) {
    actions.push({ label: ANY_OF.expired_at, to: (last) => withFilter(last, { expires: ANY }) })
  }
  return actions
}

const toUtcDay = (seconds: number) => toDateText(seconds).slice(0, 10)

/** Where the table is in another zone, a day of UTC says so. */
const toZoneNote = (zone: string) => (zone === ZONE_DEFAULT ? '' : ' UTC')
