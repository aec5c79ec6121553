import { callsAsof, HORIZON, refuseEmptySpan } from '#lib/contract/api-queries.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { toDefaults } from '#lib/contract/query-schema.ts'
import { defineList, type ListQuery, selectFieldNames, selectSorted } from './define-list.ts'

/** Ratings as calls: what prices did within a horizon of days. Rows without a value come last, equal ones by time. */
export const callList = defineList({
  one: 'call',
  fields: {
    id: { label: 'Id', numeric: true },
    user_id: {
      label: 'User',
      numeric: true,
      filter: {
        by: 'values',
        name: 'user',
        parameter: parameter.wholes('Numbers of users.', '12', { excludes: false }),
        plural: 'users',
      },
    },
    symbol: {
      label: 'Symbol',
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'symbol',
        parameter: parameter.symbols(undefined, { excludes: false }),
        plural: 'symbols',
      },
    },
    rating: { label: 'Rating', sort: 'desc' },
    prediction: { label: 'Prediction', numeric: true, sort: 'desc' },
    created_at: {
      label: 'Posted',
      sort: 'desc',
      filter: {
        by: 'span',
        from: parameter.instant('Posted from then on.', '2024-01-01'),
        to: parameter.instant('Posted before then.', '2026-01-01'),
      },
    },
    outcome: { label: 'Outcome' },
    entry_date: { label: 'Entry', numeric: true, sort: 'desc' },
    entry_close: { label: 'Entry close', numeric: true },
    exit_date: { label: 'Exit', numeric: true, sort: 'desc' },
    exit_close: { label: 'Exit close', numeric: true },
    return: { label: 'Return', numeric: true, sort: 'desc' },
    benchmark: { label: 'Benchmark', numeric: true, sort: 'desc' },
    excess: { label: 'Against the benchmark', numeric: true, sort: 'desc' },
    hit: { label: 'Result', sort: 'desc' },
  },
  table: [
    'created_at',
    'symbol',
    'rating',
    'hit',
    'excess',
    'return',
    'benchmark',
    'entry_date',
    'exit_date',
    'prediction',
  ],
  sort: { column: 'created_at', direction: 'asc' },
  parameters: { ...HORIZON, asof: callsAsof() },
  order: ['user', 'horizon', 'symbol', 'from', 'to', 'sort', 'asof'],
  refuse: ({ user, symbol, ...span }) => [
    ...refuseEmptySpan(span),
    ...(user.not.length > 0 ? [{ parameter: 'user', message: 'cannot exclude a user here' }] : []),
    ...(symbol.not.length > 0
      ? [{ parameter: 'symbol', message: 'cannot exclude a symbol here' }]
      : []),
  ],
})
export type CallsQuery = ListQuery<typeof callList>
export type CallColumn = keyof typeof callList.fields
export type CallSort = CallsQuery['sort']['column']

/** The columns of a file. */
export const CALL_COLUMNS = selectFieldNames(callList)
export const CALL_SORTS = selectSorted(callList.fields)

/** The query of calls, behind the API and the files. */
export const callsQuery = callList.query

/** The query without parameters. */
export const EVERY_CALL: CallsQuery = toDefaults(callsQuery)
