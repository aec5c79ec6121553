import { callsAsof, HORIZON } from '#lib/contract/api-queries.ts'
import { toNumberText } from '#lib/contract/filter-words.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { toDefaults } from '#lib/contract/query-schema.ts'
import { defineList, type ListQuery, selectFieldNames, selectSorted, span } from './define-list.ts'

export const OUTCOMES = ['scored', 'open', 'hold', 'no_price', 'no_entry', 'jump'] as const
export type Outcome = (typeof OUTCOMES)[number]

export const callList = defineList({
  path: 'calls',
  title: 'Calls',
  one: 'call',
  tag: 'Users',
  permission: 'read',
  cached: 'archive',
  summary: {
    page: 'One page of calls: ratings scored against prices',
    facets: 'Counts of calls per filter value',
    file: 'All calls of a query',
  },
  method:
    'Every rating of the query as a call, in its order, by the prices known at as_of. Entry: the close of the first trading day after the rating’s day (UTC), within 7 days. Exit: the last close on or before entry plus horizon, at most 7 days earlier. excess is the return minus the benchmark return. A call between whose entry and exit the price jumps, as for a split that is not adjusted, is not scored. A buy with an excess above 0 or a sell with an excess below 0 is a hit.',
  toHead: ({ horizon }) => ({ words: [`${horizon}-days`], isDated: false }),
  fields: {
    id: { label: 'Id', type: 'whole', numeric: true },
    user_id: {
      label: 'User',
      type: 'whole',
      numeric: true,
      filter: {
        by: 'values',
        name: 'user',
        parameter: parameter.wholes('User numbers.', '12', { excludes: false }),
        plural: 'users',
        toText: toNumberText,
      },
    },
    symbol: {
      label: 'Symbol',
      type: 'text',
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'symbol',
        parameter: parameter.symbols(undefined, { excludes: false }),
        plural: 'symbols',
        phrase: 'alone',
      },
    },
    rating: { label: 'Rating', type: 'whole', sort: 'desc' },
    prediction: { label: 'Prediction', type: 'decimal', numeric: true, sort: 'desc' },
    created_at: {
      label: 'Posted',
      type: 'instant',
      sort: 'desc',
      range: span('posted', 'Posted at or after.', 'Posted before.'),
    },
    outcome: { label: 'Outcome', type: OUTCOMES },
    entry_date: { label: 'Entry', type: 'day', nullable: true, numeric: true, sort: 'desc' },
    entry_close: { label: 'Entry close', type: 'decimal', nullable: true, numeric: true },
    exit_date: { label: 'Exit', type: 'day', nullable: true, numeric: true, sort: 'desc' },
    exit_close: { label: 'Exit close', type: 'decimal', nullable: true, numeric: true },
    return: { label: 'Return', type: 'decimal', nullable: true, numeric: true, sort: 'desc' },
    benchmark: { label: 'Benchmark', type: 'decimal', nullable: true, numeric: true, sort: 'desc' },
    excess: {
      label: 'Against the benchmark',
      type: 'decimal',
      nullable: true,
      numeric: true,
      sort: 'desc',
    },
    hit: { label: 'Result', type: [0, 0.5, 1], nullable: true, sort: 'desc' },
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
  refuse: ({ user, symbol }) => [
    ...(user.not.length > 0 ? [{ parameter: 'user', message: 'cannot exclude a user here' }] : []),
    ...(symbol.not.length > 0
      ? [{ parameter: 'symbol', message: 'cannot exclude a symbol here' }]
      : []),
  ],
})
export type CallsQuery = ListQuery<typeof callList>
export type CallSort = CallsQuery['sort']['column']

export const CALL_COLUMNS = selectFieldNames(callList)
export const CALL_SORTS = selectSorted(callList.fields)

export const callsQuery = callList.query

export const EVERY_CALL: CallsQuery = toDefaults(callsQuery)
