import { refuseEmptySpan } from './api-queries.ts'
import { parameter, type Sort } from './query-parameters.ts'
import { type QueryOf, querySchema, toDefaults } from './query-schema.ts'

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
  source: parameter.texts(NAME_MAX_LENGTH, 'Where it was asked, as the dump calls it.', 'slack'),
  room: parameter.texts(
    NAME_MAX_LENGTH,
    'Rooms that it was asked in, as the dump calls them.',
    '17',
  ),
  from: parameter.instant('Looked up from then on.', '2024-01-01'),
  to: parameter.instant('Looked up before then.', '2026-01-01'),
  asof: parameter.asof('Only what had been looked up by then.'),
  sort: parameter.sort(LOOKUP_FIELDS, NEWEST_FIRST),
  page: parameter.page(),
  per_page: parameter.perPage(LOOKUPS_PER_PAGE_MAX, LOOKUPS_PER_PAGE_DEFAULT),
}

/** The query of look-ups, behind the page `/lookups`, the API and the files. Instants are seconds since 1970, symbols upper case. */
export const lookupsQuery = querySchema(LOOKUPS_PARAMETERS, { refuse: refuseEmptySpan })
export type LookupsQuery = QueryOf<typeof lookupsQuery>

/** The filters that are lists of values. */
const LOOKUP_LISTS = ['symbol', 'source', 'room'] as const
export type LookupList = (typeof LOOKUP_LISTS)[number]

/** The query without parameters. */
export const EVERY_LOOKUP: LookupsQuery = toDefaults(lookupsQuery)
