import type { Issue } from './faults.ts'
import {
  isProblem,
  type Parameter,
  type Problem,
  parameter,
  parseParameters,
  type QueryOf,
  querySchema,
} from './query-schema.ts'
import {
  EVERY_RATING,
  RATINGS_PARAMETERS,
  type RatingsQuery,
  refuseEmptySpans,
  toQueryText,
  toSearchParams,
} from './ratings-query.ts'

/** How many things of each kind can be watched: symbols and users as many as a list of an address holds. */
export const WATCHED_MAX = { symbol: 100, user: 100, view: 50 } as const

/** How many ids of the newest ratings of a watched thing are told. */
export const NEWEST_MAX = 50

/** What is asked of a view is which ratings match: neither their order nor their page. */
const { sort: _sort, page: _page, per_page: _perPage, ...FILTERS } = RATINGS_PARAMETERS
const filters = querySchema(FILTERS, refuseEmptySpans)

/** The filters of a query as the text of an address, which is how a view is named where it is watched. */
export function toWatchedText(query: RatingsQuery): string {
  const { sort, page, per_page } = EVERY_RATING
  return toQueryText(toSearchParams({ ...query, sort, page, per_page })).slice(1)
}

function readFilters(text: string): RatingsQuery | Problem {
  const parsed = parseParameters(filters, new URLSearchParams(text))
  if (parsed.ok) return { ...EVERY_RATING, ...parsed.value }
  const [issue] = parsed.issues
  return { problem: `holds ${issue?.parameter ?? 'something'}, which ${issue?.message ?? ''}` }
}

/** Each value is the text of an address of its own, so a comma separates nothing here. */
const views: Parameter<RatingsQuery[]> = {
  absent: [],
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

/** `GET /api/watching`: what many symbols, users and views hold. */
export const watchingQuery = querySchema(
  { symbol: parameter.symbols(), user: parameter.wholes(), view: views },
  ({ symbol, user }): Issue[] =>
    Object.entries({ symbol, user }).flatMap(([name, { not }]) =>
      not.length > 0 ? [{ parameter: name, message: `cannot exclude a ${name} here` }] : [],
    ),
)
export type WatchingQuery = QueryOf<typeof watchingQuery>
