import { HORIZON, leagueAsof, SEARCH_MAX_LENGTH } from '#lib/contract/api-queries.ts'
import { AS_OF, SEARCHED } from '#lib/contract/filter-words.ts'
import type { HorizonName } from '#lib/contract/horizons.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { querySchema } from '#lib/contract/query-schema.ts'
import { defineList, type ListQuery, selectFieldNames, selectSorted } from './define-list.ts'

const COUNT = { type: 'count' } as const
const PRICED_COUNT = { ...COUNT, nullable: true } as const
const FIGURE = { type: 'figure', nullable: true } as const
const LAST_RATED = { type: 'instant', dated: true, numeric: true, sort: 'desc' } as const

export const userList = defineList({
  path: 'users',
  title: 'Users',
  one: 'user',
  tag: 'Users',
  permission: 'read',
  cached: 'archive',
  formats: ['csv', 'json', 'ndjson'],
  summary: {
    page: 'Users with their rating counts',
    file: 'All users of a query',
  },
  method:
    'Every user of the query, in its order, over the ratings posted by as_of. rank is by hit_low, the lower bound of the 95% Wilson interval of the share of calls that were right.',
  isRanked: true,
  page: { path: '/users', title: 'Users' },
  context: [SEARCHED, AS_OF],
  fields: {
    user_id: { label: 'User', meaning: 'User number.', type: 'whole', sort: 'asc' },
    ratings: { ...COUNT, label: 'Ratings', sort: 'desc' },
    symbols: { ...COUNT, label: 'Symbols', meaning: 'Symbols rated.', sort: 'desc' },
    last_created_at: { ...LAST_RATED, label: 'Last rated', meaning: 'Latest rating.' },
    record: { label: 'Right', type: 'drawing', numeric: true, sort: 'desc' },
    clusters: {
      ...PRICED_COUNT,
      label: 'Separate calls',
      meaning: 'Independent calls behind the record.',
      sort: 'desc',
    },
    hit_rate: { ...FIGURE, label: 'Share of hits, at 90 days' },
    hit_low: { ...FIGURE, label: 'Lower end of its 95 % interval' },
    hit_high: { ...FIGURE, label: 'Upper end of its 95 % interval' },
    rank: { ...PRICED_COUNT, label: 'Rank', meaning: 'Place by the record, from 1.' },
    excess: {
      ...FIGURE,
      label: 'Excess',
      meaning: 'Mean excess return of the calls.',
      sort: 'desc',
    },
    excess_low: { ...FIGURE, label: 'Lower end of its 95 % interval' },
    excess_high: { ...FIGURE, label: 'Upper end of its 95 % interval' },
  },
  table: ['user_id', 'ratings', 'symbols', 'last_created_at'],
  sort: { column: 'ratings', direction: 'desc' },
  parameters: {
    q: parameter.text(SEARCH_MAX_LENGTH, 'The first digits of a user number.', '1'),
    ...HORIZON,
    asof: leagueAsof(),
  },
  order: ['q', 'sort', 'horizon', 'asof'],
})

/** With prices, users are ranked by their record. */
export const RANKED_TABLE = [
  'user_id',
  'record',
  'clusters',
  'excess',
  ...userList.table.slice(1),
] as const

export const usersQuery = userList.query
export type UsersQuery = ListQuery<typeof userList>
export const USER_COLUMNS = selectFieldNames(userList)
export const USER_SORTS = selectSorted(userList.fields)
export type UserSort = UsersQuery['sort']['column']

export const rankedUsersQuery = querySchema({
  ...usersQuery.parameters,
  sort: parameter.sort(USER_SORTS, { column: 'record', direction: 'desc' }),
})

export const nearUsersQuery = querySchema(
  {
    ...usersQuery.parameters,
    like: parameter.text(
      SEARCH_MAX_LENGTH,
      'A mistyped number. Finds numbers one digit away.',
      '12',
    ),
  },
  { order: ['like'] },
)
export type NearUsersQuery = Omit<UsersQuery, 'horizon'> & { like?: string; horizon?: HorizonName }
