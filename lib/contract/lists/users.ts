import { HORIZON, leagueAsof, SEARCH_MAX_LENGTH } from '#lib/contract/api-queries.ts'
import { AS_OF, type CombinedFilter, SEARCHED, toNumberText } from '#lib/contract/filter-words.ts'
import type { HorizonName } from '#lib/contract/horizons.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { querySchema } from '#lib/contract/query-schema.ts'
import { defineList, type ListQuery, selectFieldNames, selectSorted } from './define-list.ts'

const COUNT = { type: 'count' } as const
const PRICED_COUNT = { ...COUNT, nullable: true } as const
const FIGURE = { type: 'figure', nullable: true } as const
const DRAWN_FIGURE = { type: 'drawing', numeric: true, sort: 'desc' } as const
const LAST_RATED = { type: 'instant', dated: true, numeric: true, sort: 'desc' } as const

const compared = (name: 'peers_of' | 'farther_than', word: string): CombinedFilter => ({
  by: 'combined',
  word,
  names: [name],
  toText: ({ [name]: userId = null }: Readonly<Record<string, number | null>>) =>
    userId === null ? null : toNumberText(userId),
  isContext: true,
})

const PEERS = compared('peers_of', 'peers of user')
const FARTHER = compared('farther_than', 'farther from consensus than user')

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
    'Every user of the query, in its order, over the ratings posted by as_of. recent counts 90 days. Votes are as last seen. agreement_low is the lower bound of the 95% Wilson interval of the share of votes that agree. bias is the mean difference between the user’s active ratings and the mean of the other users’ on the same symbols.',
  isRanked: true,
  page: { path: '/users', title: 'Users' },
  context: [SEARCHED, PEERS, FARTHER, AS_OF],
  fields: {
    user_id: { label: 'User', meaning: 'User number.', type: 'whole', sort: 'asc' },
    ratings: { ...COUNT, label: 'Ratings', sort: 'desc' },
    active: { ...COUNT, label: 'Active ratings at as_of' },
    symbols: { ...COUNT, label: 'Symbols', meaning: 'Symbols rated.', sort: 'desc' },
    recent: {
      ...COUNT,
      label: 'In 90 days',
      meaning: 'Ratings of the last 90 days.',
      sort: 'desc',
    },
    agree: { ...COUNT, label: 'Agreements with the ratings of this user' },
    disagree: { ...COUNT, label: 'Disagreements' },
    agreement_low: {
      ...FIGURE,
      label: 'Lower end of the 95 % interval of the share of agreements',
    },
    agreement: { ...DRAWN_FIGURE, label: 'Agreement' },
    bias: {
      ...FIGURE,
      label: 'Bias, steps',
      meaning: 'Mean distance from the other users’ consensus.',
      sort: 'desc',
    },
    bias_n: { ...COUNT, label: 'Ratings behind bias' },
    last_created_at: { ...LAST_RATED, label: 'Last rated', meaning: 'Latest rating.' },
    record: { ...DRAWN_FIGURE, label: 'Right' },
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
    activity: { label: 'A year, by week', type: 'drawing' },
  },
  table: [
    'user_id',
    'ratings',
    'symbols',
    'recent',
    'activity',
    'agreement',
    'bias',
    'last_created_at',
  ],
  sort: { column: 'ratings', direction: 'desc' },
  parameters: {
    q: parameter.text(SEARCH_MAX_LENGTH, 'The first digits of a user number.', '1'),
    peers_of: parameter.whole(
      'The comparison group of this user: users with a similar number of judged ratings.',
    ),
    farther_than: parameter.whole('Users farther from the later consensus than this one.'),
    ...HORIZON,
    asof: leagueAsof(),
  },
  order: ['q', 'peers_of', 'farther_than', 'sort', 'horizon', 'asof'],
})

/** With prices, users are ranked by their record. */
export const RANKED_TABLE = [
  'user_id',
  'rank',
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
export type NearUsersQuery = Omit<UsersQuery, keyof ComparedQuery | 'horizon'> &
  ComparedQuery & { like?: string; horizon?: HorizonName }

export type ComparedQuery = Partial<Pick<UsersQuery, 'peers_of' | 'farther_than'>>
