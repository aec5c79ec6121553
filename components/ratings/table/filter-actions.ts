import { toZonedDay, UTC, zonedMidnight } from '#components/format/instants.ts'
import { toLeastBounds, toMostBounds } from '#components/ratings/filters/prediction-range.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { NEVER_EXPIRES, readSymbol } from '#lib/contract/query-parameters.ts'
import type { ListName } from '#lib/contract/ratings-query.ts'
import { NO_PREDICTION_BOUNDS, type RatingsView, withFilter } from '#lib/contract/ratings-view.ts'
import { ANY, type Chosen, isAny, only } from '#lib/contract/value-list.ts'
import { type CellFormat, NO_EXPIRY, toCellWords } from './cell-values.ts'
import type { ColumnId } from './columns.ts'

const LISTS = {
  user_id: 'user',
  id: 'id',
  rating: 'rating',
  action: 'action',
  tally_agree: 'agree',
  tally_disagree: 'disagree',
  tally_comment: 'comments',
} as const satisfies Partial<Record<ColumnId, ListName>>

export function toFilterActions(column: ColumnId, asked: ActionInput): FilterAction[] {
  switch (column) {
    case 'symbol': {
      const key = readSymbol(asked.row.symbol)
      // A symbol may be invalid in a URL.
      return typeof key === 'string' ? listActions({ ...asked, column, list: 'symbol' }, key) : []
    }
    case 'prediction':
      return predictionActions(asked)
    case 'created_at':
      return postedActions(asked)
    case 'expired_at':
      return expiryActions(asked)
    default:
      return listActions({ ...asked, column, list: LISTS[column] }, asked.row[column])
  }
}

type ListActionInput<L extends ListName> = ActionInput & { column: ColumnId; list: L }

function listActions<
  L extends 'symbol' | (typeof LISTS)[keyof typeof LISTS],
  T extends string | number,
>({ row, view, reading, column, list }: ListActionInput<L>, value: T): FilterAction[] {
  const words = toCellWords(row, column, reading)
  const chosen: Chosen<string | number> = view[list]
  const actions: FilterAction[] = [
    {
      label: `Not ${words}`,
      to: (last) => {
        const there: Chosen<string | number> = last[list]
        return withFilter(last, { [list]: withExcluded(there, value) })
      },
    },
  ]
  if (!isOnly(chosen, value)) {
    actions.unshift({
      label: `Only ${words}`,
      to: (last) => withFilter(last, { [list]: only(value) }),
    })
  }
  if (!isAny(chosen)) {
    actions.push({ label: ANY_OF[column], to: (last) => withFilter(last, { [list]: ANY }) })
  }
  return actions
}

type FilterAction = { label: string; to: (view: RatingsView) => RatingsView }

type ActionInput = { row: RatingRow; view: RatingsView; reading: CellFormat }

const ANY_OF: Record<ColumnId, string> = {
  symbol: 'Any symbol',
  user_id: 'Any user',
  id: 'Any ID',
  rating: 'Any rating',
  action: 'Any action',
  prediction: 'Any prediction',
  tally_agree: 'Any number who agree',
  tally_disagree: 'Any number who disagree',
  tally_comment: 'Any number of comments',
  created_at: 'Any time',
  expired_at: 'Any expiry',
}

function toPlain(text: string): string {
  const [, sign = '', whole = '0', fraction = ''] =
    /^([+-]?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text) ?? []
  const digits = fraction === '' ? whole : `${whole}.${fraction}`
  return sign === '-' && digits !== '0' ? `-${digits}` : digits
}

const isSame = (a: string, b: string) => toPlain(a) === toPlain(b)

const hasBounds = (view: RatingsView) =>
  view.prediction_min !== null ||
  view.prediction_max !== null ||
  view.prediction_above !== null ||
  view.prediction_below !== null

function predictionActions({ row, view, reading }: ActionInput): FilterAction[] {
  const value = row.prediction
  const words = toCellWords(row, 'prediction', reading)
  const bounded = hasBounds(view)
  const actions: FilterAction[] = [
    {
      label: `Not ${words}`,
      to: (last) =>
        withFilter(last, { prediction: withExcluded(last.prediction, value, { isSame }) }),
    },
    { label: `${words} or more`, to: (last) => withFilter(last, toLeastBounds(last, value)) },
    { label: `${words} or less`, to: (last) => withFilter(last, toMostBounds(last, value)) },
  ]
  if (bounded || !isOnly(view.prediction, value, isSame)) {
    actions.unshift({
      label: `Only ${words}`,
      to: (last) => withFilter(last, { ...NO_PREDICTION_BOUNDS, prediction: only(value) }),
    })
  }
  if (bounded || !isAny(view.prediction)) {
    actions.push({
      label: ANY_OF.prediction,
      to: (last) => withFilter(last, { ...NO_PREDICTION_BOUNDS, prediction: ANY }),
    })
  }
  return actions
}

const NO_SPAN = { from: null, to: null }

/** In zones other than UTC the filter is a span, because the `created` periods are UTC. */
function postedActions({ row, view, reading: { zone } }: ActionInput): FilterAction[] {
  const day = toZonedDay(row.created_at, zone)
  const month = day.slice(0, 7)
  const utcDay = toUtcDay(row.created_at)
  const actions = [day, month]
    .map((period) => ({ period, filter: toPostedFilter(period, zone) }))
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

type PostedFilter = Pick<RatingsView, 'from' | 'to' | 'created'>

function toPostedFilter(period: string, zone: string): PostedFilter {
  if (zone === UTC) return { ...NO_SPAN, created: only(period) }
  const first = period.length === 7 ? `${period}-01` : period
  return { created: ANY, from: zonedMidnight(first, zone), to: zonedMidnight(toNext(period), zone) }
}

function toNext(period: string): string {
  const [year = 0, month = 1, day] = period.split('-').map(Number)
  const next = day ? Date.UTC(year, month - 1, day + 1) : Date.UTC(year, month, 1)
  return new Date(next).toISOString().slice(0, 10)
}

const holds = (view: RatingsView, { from, to, created }: PostedFilter) =>
  view.from === from &&
  view.to === to &&
  (created.only[0] === undefined ? isAny(view.created) : isOnly(view.created, created.only[0]))

function expiryActions({ row, view, reading: { zone } }: ActionInput): FilterAction[] {
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

const toZoneNote = (zone: string) => (zone === UTC ? '' : ' UTC')

type IsSame<T> = (a: T, b: T) => boolean

const isIdentical: IsSame<unknown> = (a, b) => a === b

const isOnly = <T>({ only, not }: Chosen<T>, value: T, isSame: IsSame<T> = isIdentical): boolean =>
  only.length === 1 && not.length === 0 && only.every((other) => isSame(other, value))

/**
 * Removes the value from `only` if others remain, otherwise adds it to `not`; with `overlaps`
 * always adds it.
 */
function withExcluded<T>(
  { only, not }: Chosen<T>,
  value: T,
  { isSame = isIdentical, overlaps = false }: { isSame?: IsSame<T>; overlaps?: boolean } = {},
): Chosen<T> {
  const left = only.filter((other) => !isSame(other, value))
  const isEnough = !overlaps && left.length > 0 && left.length < only.length
  const isOut = not.some((other) => isSame(other, value))
  return { only: left, not: isEnough || isOut ? not : [...not, value] }
}
