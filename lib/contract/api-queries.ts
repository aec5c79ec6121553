import type { Issue } from './faults.ts'
import { HORIZON_NAME_DEFAULT, HORIZON_NAMES } from './horizons.ts'
import { isProblem, parameter } from './query-parameters.ts'
import { type QueryOf, querySchema, readOwn, toParams, toQueryText } from './query-schema.ts'

/** Of a series. Seconds since 1970; null is open. */
export const spanQuery = querySchema({
  from: parameter.instant('Start, in the first bucket.', '2024-01-01'),
  to: parameter.instant('End, exclusive.', '2026-01-01'),
})

export const SEARCH_MAX_LENGTH = 64

export const HORIZON = {
  horizon: parameter.choice(HORIZON_NAMES, HORIZON_NAME_DEFAULT, 'Days from entry to exit.'),
}

export const leagueAsof = () => parameter.asof('The instant that figures describe.')

/** What symbols and users share. Pages that only search load it instead of both lists. */
export const searchQuery = querySchema({
  q: parameter.text(SEARCH_MAX_LENGTH, 'What names begin with.', 'A'),
  asof: leagueAsof(),
  per_page: parameter.perPage(),
})
export type SearchQuery = QueryOf<typeof searchQuery>

const FOUND = 20

export function toSearch(text: string, asof: number | null): SearchQuery {
  const q = searchQuery.parameters.q.read([text.trim()])
  return { q: isProblem(q) ? '' : q, asof, per_page: FOUND }
}

export const MAP_DAYS = ['7', '30', '90'] as const

export const symbolMapQuery = querySchema({
  days: parameter.choice(MAP_DAYS, '30', 'Days of `change`.'),
  asof: leagueAsof(),
})
export type SymbolMapQuery = QueryOf<typeof symbolMapQuery>

export const aggregateQuery = querySchema({
  date: parameter.day('A day (UTC). The answer is for its last second.', '2026-01-31', 'now.'),
})

export const asofQuery = querySchema({ asof: parameter.asof() })

export const BUCKETS = ['day', 'week', 'month'] as const
export const ANSWERED_BUCKETS = [...BUCKETS, 'year'] as const
export type Bucket = (typeof ANSWERED_BUCKETS)[number]

const SERIES_PARAMETERS = {
  bucket: parameter.choice(['auto', ...BUCKETS], 'auto', 'Bucket length.'),
  ...spanQuery.parameters,
  asof: parameter.asof('The series ends here.'),
}

type Span = Record<'from' | 'to', number | null>

const refuseEmptySpan = ({ from, to }: Span): Issue[] =>
  from === null || to === null || from < to
    ? []
    : [{ parameter: 'to', message: 'is not after from' }]

export const seriesQuery = querySchema(SERIES_PARAMETERS, { refuse: refuseEmptySpan })
export type SeriesQuery = QueryOf<typeof seriesQuery>

export const callsAsof = () => parameter.asof('Ignores later ratings and prices.')

export const trackQuery = querySchema({ ...HORIZON, asof: callsAsof() })
export type TrackQuery = QueryOf<typeof trackQuery>

/** Changes in `(from, to]`. */
export const movesQuery = querySchema(
  {
    from: parameter.instant('Start, exclusive.', '2024-01-01', '90 days before `to`.'),
    to: parameter.instant('End, inclusive.', '2026-01-01', 'now.'),
    asof: parameter.asof(),
  },
  { refuse: refuseEmptySpan },
)

/** Changes in `[from, to)`. */
export const changesQuery = querySchema(
  {
    from: parameter.instant(
      'Start, inclusive.',
      '2026-01-04',
      'the Sunday before `to`, 00:00 New York.',
    ),
    to: parameter.instant(
      'End, exclusive.',
      '2026-01-11',
      'the Sunday after `from`, 00:00 New York, or the last one.',
    ),
    asof: parameter.asof('The instant to use as now.'),
  },
  { refuse: refuseEmptySpan },
)
export type ChangesQuery = QueryOf<typeof changesQuery>

export const COMPARED_MAX = 6

export const compareQuery = querySchema(
  {
    symbol: parameter.symbols(`One to ${COMPARED_MAX} symbols, case-insensitive.`, {
      most: COMPARED_MAX,
      excludes: false,
      isSorted: false,
      isRequired: true,
    }),
    ...SERIES_PARAMETERS,
  },
  {
    refuse: ({ symbol, ...span }) => {
      const issues = refuseEmptySpan(span)
      const refuse = (message: string) => issues.push({ parameter: 'symbol', message })
      if (symbol.not.length > 0) refuse('cannot exclude a symbol here')
      if (symbol.only.length === 0) refuse('names no symbol')
      if (symbol.only.length > COMPARED_MAX) refuse(`takes at most ${COMPARED_MAX} values`)
      return issues
    },
  },
)
export type CompareQuery = QueryOf<typeof compareQuery>

export const postsQuery = querySchema({ page: parameter.page() })

const TABLE_SETS = ['all', 'core'] as const
export type TableSet = (typeof TABLE_SETS)[number]

export const databaseQuery = querySchema({
  tables: parameter.choice(
    TABLE_SETS,
    'all',
    '`core` has no `lookups`, `calls` and `prices`, which are most of the file.',
  ),
})

export const noQuery = querySchema({})

export const healthQuery = querySchema({
  probe: parameter.choice(['live', 'ready'], 'ready', 'Check readiness or liveness.'),
})

export const embedQuery = querySchema({
  theme: parameter.choice(['auto', 'light', 'dark'], 'auto', 'The theme.'),
})

/** What another instant changes on every page. */
export const asofPageQuery = querySchema({ asof: parameter.asof(), page: parameter.page() })

/** Seconds since 1970; null is now, also where `asof` is invalid. */
export const readAsOf = (params: URLSearchParams): number | null => readOwn(asofQuery, params).asof

/** An `asof` in `href` takes precedence. */
export function withAsOf(href: string, asof: number | null): string {
  // Fast path: a table has hundreds of links.
  if (asof === null && !href.includes('?')) return href
  const [address = '', ...hash] = href.split('#')
  const [path = '', query = ''] = address.split('?')
  const params = new URLSearchParams(query)
  const next = params.has('asof') ? params : toParams(asofQuery, { asof }, params)
  return [`${path}${toQueryText(next)}`, ...hash].join('#')
}
