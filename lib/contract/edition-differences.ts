import { parameter, type Sort } from './query-parameters.ts'
import { type QueryOf, querySchema, toDefaults } from './query-schema.ts'

/**
 * What became of a rating from one edition to another. `edited`: fields changed, more than its votes and an earlier end.
 * `ended_early`: its end became earlier, or it got one; its votes may have changed too. `vanished`: only the earlier edition has
 * it. `returned`: only the later one has it, but an edition before the earlier one had it too, or the archive had marked it as
 * vanished. `new`: only the later one has it. `votes`: nothing but its votes changed. In the order of the screen: what is
 * rarest first.
 */
export const DIFFERENCE_KINDS = [
  'edited',
  'ended_early',
  'vanished',
  'returned',
  'new',
  'votes',
] as const
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number]

export type KindCounts = Record<DifferenceKind, number>

export const NO_DIFFERENCE: Readonly<KindCounts> = {
  ...{ edited: 0, ended_early: 0, vanished: 0, returned: 0, new: 0, votes: 0 },
}

/** What a rating can be sorted by; `kind` is the order of {@link DIFFERENCE_KINDS}. */
export const DIFFERENCE_SORTS = ['kind', 'created_at', 'id', 'symbol', 'user_id'] as const
export type DifferenceSort = Sort<(typeof DIFFERENCE_SORTS)[number]>

export const DIFFERENCES_PER_PAGE_DEFAULT = 50
const DIFFERENCES_PER_PAGE_MAX = 500

const BY_KIND: DifferenceSort = { column: 'kind', direction: 'asc' }

/** As long as any column is likely to be called. */
const FIELD_MAX_LENGTH = 200

const DIFFERENCES_PARAMETERS = {
  from: parameter.day(
    'The Sunday of the earlier edition, which has to be kept.',
    '2026-11-08',
    'the newest before `to`.',
  ),
  to: parameter.day(
    'The Sunday of the later edition, which has to be kept.',
    '2026-11-15',
    'the newest that is served.',
  ),
  kind: parameter.choices(DIFFERENCE_KINDS, 'What became of the rating.', DIFFERENCE_KINDS),
  field: parameter.texts(FIELD_MAX_LENGTH, 'Ratings of which that column changed.', 'prediction'),
  symbol: parameter.symbols(),
  user: parameter.wholes('Numbers of users.', '12'),
  sort: parameter.sort(DIFFERENCE_SORTS, BY_KIND),
  page: parameter.page(),
  per_page: parameter.perPage(DIFFERENCES_PER_PAGE_MAX, DIFFERENCES_PER_PAGE_DEFAULT),
}

/** The query of the difference of two editions, behind the page `/changes/editions`, the API and the files. */
export const differencesQuery = querySchema(DIFFERENCES_PARAMETERS, {
  refuse: ({ from, to }) =>
    from !== null && to !== null && from >= to
      ? [{ parameter: 'from', message: 'is not before to' }]
      : [],
})
export type DifferencesQuery = QueryOf<typeof differencesQuery>

/** The filters that are lists of values. */
const DIFFERENCE_LISTS = ['kind', 'field', 'symbol', 'user'] as const
export type DifferenceList = (typeof DIFFERENCE_LISTS)[number]

/** The query without parameters. */
export const EVERY_DIFFERENCE: DifferencesQuery = toDefaults(differencesQuery)

/** The columns of a file: one row a change; a rating of which no field changed has one row with none. */
export const DIFFERENCE_COLUMNS = [
  'id',
  'kind',
  'symbol',
  'user_id',
  'rating',
  'prediction',
  'created_at',
  'field',
  'before',
  'after',
] as const
export type DifferenceColumn = (typeof DIFFERENCE_COLUMNS)[number]
