import { parameter } from './parameters.ts'
import { type QueryOf, querySchema } from './query-schema.ts'

const SEARCH_MAX_LENGTH = 64
const LEAGUE_PER_PAGE_MAX = 500
const LEAGUE_PER_PAGE_DEFAULT = 50

export const SYMBOL_SORTS = [
  'symbol',
  'ratings',
  'active',
  'consensus',
  'avg_prediction',
  'last_created_at',
] as const

export const USER_SORTS = ['user_id', 'ratings', 'symbols', 'last_created_at'] as const

/** `GET /api/symbols` and the page `/symbols`: typeahead and league table in one. */
export const symbolsQuery = querySchema({
  q: parameter.text(SEARCH_MAX_LENGTH),
  sort: parameter.sort(SYMBOL_SORTS, { column: 'active', direction: 'desc' }),
  page: parameter.page(),
  per_page: parameter.perPage(LEAGUE_PER_PAGE_MAX, LEAGUE_PER_PAGE_DEFAULT),
})
export type SymbolsQuery = QueryOf<typeof symbolsQuery>

/** `GET /api/users` and the page `/users`. `q` is the beginning of a user's number. */
export const usersQuery = querySchema({
  q: parameter.text(SEARCH_MAX_LENGTH),
  sort: parameter.sort(USER_SORTS, { column: 'ratings', direction: 'desc' }),
  page: parameter.page(),
  per_page: parameter.perPage(LEAGUE_PER_PAGE_MAX, LEAGUE_PER_PAGE_DEFAULT),
})
export type UsersQuery = QueryOf<typeof usersQuery>

/** `GET /api/symbols/{symbol}`: the aggregate at the last second of `date` (UTC), default now. */
export const aggregateQuery = querySchema({ date: parameter.day() })

/** `GET /api/ratings/{id}` and the page `/ratings/{id}`: `asof` gives the rating as it stood then. */
export const ratingDetailQuery = querySchema({ asof: parameter.instant() })

export const BUCKETS = ['day', 'week', 'month'] as const
export type Bucket = (typeof BUCKETS)[number]

/** `GET /api/symbols/{symbol}/series`. `auto` is the finest bucket that stays within 400 points. */
export const seriesQuery = querySchema(
  {
    bucket: parameter.choice(['auto', ...BUCKETS], 'auto'),
    from: parameter.instant(),
    to: parameter.instant(),
  },
  ({ from, to }) =>
    from === null || to === null || from < to
      ? []
      : [{ parameter: 'to', message: 'is not after from' }],
)
export type SeriesQuery = QueryOf<typeof seriesQuery>

/** `GET /api/v1/posts`: one page of the configured service. */
export const postsQuery = querySchema({ page: parameter.page() })

/** A route that takes no parameter. */
export const noQuery = querySchema({})
