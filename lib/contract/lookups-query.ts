import { refuseEmptySpan } from './api-queries.ts'
import { toAsofParameter, toInstantText } from './instant-text.ts'
import {
  parameter,
  type QueryOf,
  querySchema,
  type Sort,
  toDefaults,
  toSortParameter,
} from './query-schema.ts'
import { toListText } from './value-list.ts'

/** The columns of a look-up, in the order of `/api/lookups`; by each of them they can be sorted. */
export const LOOKUP_FIELDS = ['id', 'symbol', 'source', 'room_id', 'created_at'] as const
export type LookupField = (typeof LOOKUP_FIELDS)[number]
export type LookupSort = Sort<LookupField>

const LOOKUPS_PER_PAGE_DEFAULT = 50
const LOOKUPS_PER_PAGE_MAX = 500

const NEWEST_FIRST: LookupSort = { column: 'created_at', direction: 'desc' }

/** As long as any source or room is likely to be called. */
const NAME_MAX_LENGTH = 200

const LOOKUPS_PARAMETERS = {
  symbol: parameter.symbols(),
  source: parameter.texts(NAME_MAX_LENGTH),
  room: parameter.texts(NAME_MAX_LENGTH),
  from: parameter.instant(),
  to: parameter.instant(),
  asof: parameter.asof(),
  sort: parameter.sort(LOOKUP_FIELDS, NEWEST_FIRST),
  page: parameter.page(),
  per_page: parameter.perPage(LOOKUPS_PER_PAGE_MAX, LOOKUPS_PER_PAGE_DEFAULT),
}

/**
 * What somebody asks of the look-ups: behind the page `/lookups`, the API and the files. `from` is inclusive, `to` exclusive;
 * `asof` leaves only what had been looked up by then. Instants are seconds since 1970, symbols upper case.
 */
export const lookupsQuery = querySchema(LOOKUPS_PARAMETERS, refuseEmptySpan)
export type LookupsQuery = QueryOf<typeof lookupsQuery>

/** The filters that are lists of values, in the order of the canonical address. */
const LOOKUP_LISTS = ['symbol', 'source', 'room'] as const
export type LookupList = (typeof LOOKUP_LISTS)[number]

/** The canonical address of a query: names in a fixed order, lists sorted, defaults left out. */
export function toLookupParams(query: LookupsQuery): URLSearchParams {
  const params = new URLSearchParams()
  const set = (name: string, value: string | null) => {
    if (value !== null && value !== '') params.set(name, value)
  }
  const instant = (value: number | null) => (value === null ? null : toInstantText(value))
  for (const name of LOOKUP_LISTS) set(name, toListText(query[name]))
  set('from', instant(query.from))
  set('to', instant(query.to))
  set('asof', query.asof === null ? null : toAsofParameter(query.asof))
  set('sort', toSortParameter(query.sort, NEWEST_FIRST))
  set('page', query.page === 1 ? null : String(query.page))
  set('per_page', query.per_page === LOOKUPS_PER_PAGE_DEFAULT ? null : String(query.per_page))
  return params
}

/** The query with nothing asked. */
export const EVERY_LOOKUP: LookupsQuery = toDefaults(lookupsQuery)
