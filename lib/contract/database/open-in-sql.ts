import { parsePeriod, toDateText } from '#lib/contract/instant-text.ts'
import { callList } from '#lib/contract/lists/calls.ts'
import {
  type AnyList,
  type Field,
  readChosen,
  selectSpanField,
} from '#lib/contract/lists/define-list.ts'
import type { ListPath } from '#lib/contract/lists/lists.ts'
import { lookupList } from '#lib/contract/lists/lookups.ts'
import { ratingList } from '#lib/contract/lists/ratings.ts'
import { symbolsQuery } from '#lib/contract/lists/symbols.ts'
import { usersQuery } from '#lib/contract/lists/users.ts'
import { EXTREME_PERCENT, type Quality } from '#lib/contract/quality.ts'
import { NEVER_EXPIRES, type Sort } from '#lib/contract/query-parameters.ts'
import {
  type Parameters,
  type QuerySchema,
  readLeniently,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'
import { LAST_SECOND, toSearchKey } from '#lib/contract/rating-fields.ts'
import { type RatingsQuery, ratingsQuery } from '#lib/contract/ratings-query.ts'
import type { Chosen } from '#lib/contract/value-list.ts'

/** `left`: parts of the filter that the tables of the file cannot answer. */
type SqlParts = { where: readonly string[]; left: readonly string[]; order: readonly string[] }

type WriteSql = (params: URLSearchParams, at: number) => SqlParts

const subject =
  <P extends Parameters>(
    schema: QuerySchema<P>,
    write: (query: ValuesOf<P>, at: number) => SqlParts,
  ): WriteSql =>
  (params, at) =>
    write(readLeniently(schema, params).query, at)

/** The table of a subject has its name. */
const SUBJECTS: Partial<Record<ListPath, WriteSql>> = {
  ratings: subject(ratingsQuery, writeRatings),
  symbols: subject(symbolsQuery, writeSymbols),
  users: subject(usersQuery, writeUsers),
  lookups: subject(lookupList.query, (query) => writeList(lookupList, query)),
  calls: subject(callList.query, writeCalls),
}

/**
 * The rows of a list as a query of the database file, without its pages. `at`: the instant of the
 * list, in seconds since 1970. Null for lists that the file does not have.
 */
export function toListSql(of: ListPath, params: URLSearchParams, at: number): string | null {
  const write = SUBJECTS[of]
  if (!write) return null
  const { where, left, order } = write(params, at)
  return [
    ...left.map((part) => `-- Not in SQL: ${part}`),
    'SELECT *',
    `FROM ${of}`,
    ...where.map((condition, index) => `${index === 0 ? 'WHERE' : '  AND'} ${condition}`),
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
  ].join('\n')
}

const text = (value: string) => `'${value.replaceAll("'", "''")}'`
const time = (seconds: number) => `TIMESTAMP ${text(toDateText(seconds).replace(' 00:00:00', ''))}`

const values = (written: readonly string[]) => `(${written.join(', ')})`

function chosen<T>({ only, not }: Chosen<T>, column: string, write: (value: T) => string) {
  return [
    ...(only.length > 0 ? [`${column} IN ${values(only.map(write))}`] : []),
    ...(not.length > 0 ? [`${column} NOT IN ${values(not.map(write))}`] : []),
  ]
}

const spanOf = (column: string, { from, to }: Record<'from' | 'to', number | null>) => [
  ...(from === null ? [] : [`${column} >= ${time(from)}`]),
  ...(to === null || to > LAST_SECOND ? [] : [`${column} < ${time(to)}`]),
]

function writeRatings(query: RatingsQuery, now: number): SqlParts {
  const at = query.asof ?? now
  const left: string[] = []
  const { where, order } = writeList(ratingList, query, {
    symbol: chosen(query.symbol, 'symbol_key', text),
    created_at: writePeriods(query.created),
    expired_at: writeExpiries(query.expires, left),
    state: writeState(query.state, at),
    quality: writeQualities(query.quality, at, left),
    moved: writeMoved(query, left),
  })
  return { where, left, order: order.map((one) => one.replace('_date', '')) }
}

function writeMoved({ moved, moved_from: from, moved_to: to }: RatingsQuery, left: string[]) {
  if (moved.only.length + moved.not.length > 0 || from !== null || to !== null) {
    left.push('changes of ratings (moved)')
  }
  return []
}

/** A plus is no SQL number. */
const toNumber = (value: string) => value.replace('+', '')

const toPeriod = (column: string, period: string): string => {
  const span = parsePeriod(period)
  return span === null ? 'false' : spanOf(column, span).join(' AND ')
}

function writePeriods({ only, not }: RatingsQuery['created']): string[] {
  const any = (periods: readonly string[]) =>
    `(${periods.map((period) => toPeriod('created_at', period)).join(' OR ')})`
  return [...(only.length > 0 ? [any(only)] : []), ...(not.length > 0 ? [`NOT ${any(not)}`] : [])]
}

function writeExpiries({ only, not }: RatingsQuery['expires'], left: string[]): string[] {
  const isIn = (period: string) =>
    period === NEVER_EXPIRES
      ? 'expired_at IS NULL'
      : `(expired_at IS NOT NULL AND ${toPeriod('expired_at', period)})`
  const any = (periods: readonly string[]) => `(${periods.map(isIn).join(' OR ')})`
  // The file has no expiry of 0, which means none and is a time of 1970.
  if ([...only, ...not].some((period) => parsePeriod(period)?.from === 0)) {
    left.push('expiries in 1970 (expires)')
    return []
  }
  return [...(only.length > 0 ? [any(only)] : []), ...(not.length > 0 ? [`NOT ${any(not)}`] : [])]
}

function writeState(state: RatingsQuery['state'], at: number): string[] {
  if (state === null) return []
  if (state === 'expired') return [`ended_at <= ${time(at)}`]
  return [`created_at <= ${time(at)}`, `(ended_at IS NULL OR ended_at > ${time(at)})`]
}

/** Null: needs more than the row. */
const QUALITIES: Readonly<Record<Quality, string | ((at: number) => string) | null>> = {
  strong_buy_negative: '(rating = 5 AND prediction < 0)',
  upgraded_false: '(action = 2 AND (previous_rating IS NULL OR previous_rating >= rating))',
  initiated_twice: '(action = 1 AND previous_rating IS NOT NULL)',
  expired_before_created: '(expired_at IS NOT NULL AND expired_at <= created_at)',
  extreme_prediction: `abs(prediction) >= ${EXTREME_PERCENT}`,
  flip_within_day: null,
  vanished: (at) => `(vanished_at IS NOT NULL AND vanished_at <= ${time(at)})`,
}

function writeQualities({ only, not }: RatingsQuery['quality'], at: number, left: string[]) {
  const any = (names: readonly Quality[]): string[] => {
    const rules = names.map((name) => QUALITIES[name])
    if (names.length > 0 && rules.includes(null)) left.push('data quality (quality)')
    if (names.length === 0 || rules.includes(null)) return []
    return [`(${rules.map((rule) => (typeof rule === 'function' ? rule(at) : rule)).join(' OR ')})`]
  }
  return [...any(only), ...any(not).map((rule) => `NOT ${rule}`)]
}

type League = { q: string; sort: Sort<string>; asof: number | null }

const toLeagueOrder = (
  { sort }: League,
  columns: readonly string[],
  key: string,
  left: string[],
) => {
  if (sort.column === key) return [`${key} ${sort.direction.toUpperCase()}`]
  if (columns.includes(sort.column))
    return [`${sort.column} ${sort.direction.toUpperCase()} NULLS LAST`, key]
  left.push(`order by ${sort.column}`)
  return [key]
}

function writeSymbols(query: League): SqlParts {
  const left = query.asof === null ? [] : ['an earlier instant (asof)']
  if (query.q !== '') left.push('names of companies (q)')
  return {
    where: query.q === '' ? [] : [`contains(search_key, ${text(toSearchKey(query.q))})`],
    order: toLeagueOrder(query, SYMBOL_ORDERS, 'symbol', left),
    left,
  }
}

/** The other columns are sorted by figures that account for few ratings. */
const SYMBOL_ORDERS = ['ratings', 'active', 'dispersion', 'last_created_at']
const USER_ORDERS = ['ratings', 'symbols', 'last_created_at']

function writeUsers(query: League): SqlParts {
  const left = query.asof === null ? [] : ['an earlier instant (asof)']
  return {
    where: query.q === '' ? [] : [`starts_with(user_id::VARCHAR, ${text(query.q)})`],
    order: toLeagueOrder(query, USER_ORDERS, 'user_id', left),
    left,
  }
}

type ListFilters = Readonly<Record<string, unknown>> & { sort: Sort<string>; asof: number | null }

/** `special`: fields whose values need other conditions. */
function writeList(
  list: AnyList,
  query: ListFilters,
  special: Readonly<Record<string, readonly string[]>> = {},
): SqlParts {
  const span = selectSpanField(list)
  const { column } = query.sort
  const direction = query.sort.direction.toUpperCase()
  const isPlain = column === 'id' && !list.fields.id?.nullable
  return {
    where: [
      ...Object.entries(list.fields).flatMap(([name, field]) => [
        ...(special[name] ?? writeValues(name, field, query)),
        ...writeBounds(name, field, query),
      ]),
      ...(query.asof === null || span === null ? [] : [`${span} <= ${time(query.asof)}`]),
    ],
    left: [],
    order: [
      `${column} ${direction}${isPlain ? '' : ' NULLS LAST'}`,
      ...(column === 'id' ? [] : [`id ${direction}`]),
    ],
  }
}

function writeValues(name: string, { filter, type, nullable }: Field, query: ListFilters) {
  if (filter?.by !== 'values') return []
  const { only, not } = readChosen(query, filter.name)
  const write = (value: string | number) =>
    type === 'text' ? text(String(value)) : toNumber(String(value))
  return [
    ...chosen({ only, not: [] }, name, write),
    ...chosen({ only: [], not }, name, write).map((rule) =>
      nullable ? `(${name} IS NULL OR ${rule})` : rule,
    ),
  ]
}

function writeBounds(name: string, { type, range }: Field, query: ListFilters): string[] {
  if (type !== 'instant' && type !== 'decimal') return []
  return Object.entries(range?.bounds ?? {}).flatMap(([bound, [operator]]) => {
    const value = query[bound] ?? null
    if (value === null) return []
    if (type === 'decimal') return [`${name} ${operator} ${toNumber(String(value))}`]
    return Number(value) > LAST_SECOND ? [] : [`${name} ${operator} ${time(Number(value))}`]
  })
}

/** The file scores calls by 90 days and the prices of its own instant. */
const CALLS_HORIZON = '90'

function writeCalls(query: ListFilters & { horizon: string }): SqlParts {
  const left = [
    ...(query.horizon === CALLS_HORIZON ? [] : [`${query.horizon} days (horizon)`]),
    ...(query.asof === null ? [] : ['prices of an earlier instant (asof)']),
  ]
  const symbol = chosen(readChosen(query, 'symbol'), 'symbol_key', (value) => text(String(value)))
  return { ...writeList(callList, query, { symbol }), left }
}
