import type { Issue } from './faults.ts'
import { isProblem, type Parameter, type Problem, parameter } from './query-parameters.ts'
import {
  parseParameters,
  type QueryOf,
  querySchema,
  toParams,
  toQueryText,
} from './query-schema.ts'
import { EVERY_RATING, type RatingsQuery, ratingsQuery } from './ratings-query.ts'

export const WATCHED_MAX = { symbol: 100, user: 100, view: 50 } as const

export const NEWEST_MAX = 50

const { sort: _sort, page: _page, per_page: _perPage, ...FILTERS } = ratingsQuery.parameters
export const watchedFiltersQuery = querySchema(FILTERS, ratingsQuery)

export const toWatchedText = (query: RatingsQuery): string =>
  toQueryText(toParams(watchedFiltersQuery, query)).slice(1)

function readFilters(text: string): RatingsQuery | Problem {
  const parsed = parseParameters(watchedFiltersQuery, new URLSearchParams(text))
  if (parsed.ok) return { ...EVERY_RATING, ...parsed.value }
  const [issue] = parsed.issues
  return { problem: `contains ${issue?.parameter ?? 'something'}, which ${issue?.message ?? ''}` }
}

/** Each value is an address: commas do not separate. */
const views: Parameter<RatingsQuery[]> = {
  default: [],
  meaning:
    'A URL-encoded rating query. Repeat the parameter for each view; commas do not separate views.',
  example: 'rating=4,5',
  kind: { type: 'filters', list: { most: WATCHED_MAX.view, excludes: false, isSorted: false } },
  write: (queries) => queries.map(toWatchedText),
  read: (values) => {
    if (values.length > WATCHED_MAX.view) {
      return { problem: `is given more than ${WATCHED_MAX.view} times` }
    }
    const read = new Map<string, RatingsQuery>()
    for (const value of values) {
      const query = readFilters(value)
      if (isProblem(query)) return query
      read.set(toWatchedText(query), query)
    }
    return [...read.values()]
  },
}

export const watchingQuery = querySchema(
  {
    symbol: parameter.symbols(undefined, {
      most: WATCHED_MAX.symbol,
      excludes: false,
      isSorted: false,
    }),
    user: parameter.wholes('User numbers.', '12', {
      most: WATCHED_MAX.user,
      excludes: false,
      isSorted: false,
    }),
    view: views,
  },
  {
    refuse: ({ symbol, user }): Issue[] =>
      Object.entries({ symbol, user }).flatMap(([name, { not }]) =>
        not.length > 0 ? [{ parameter: name, message: `cannot exclude a ${name} here` }] : [],
      ),
  },
)
export type WatchingQuery = QueryOf<typeof watchingQuery>
