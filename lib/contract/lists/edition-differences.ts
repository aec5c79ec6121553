import { toNumberText } from '#lib/contract/filter-words.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { toDefaults } from '#lib/contract/query-schema.ts'
import { defineList, type ListQuery, selectFieldNames } from './define-list.ts'

/**
 * Rarest first. `ended_early`: the end moved earlier or was added. `edited`: other changes beyond
 * votes. `returned`: was in an older edition or marked vanished.
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
  edited: 0,
  ended_early: 0,
  vanished: 0,
  returned: 0,
  new: 0,
  votes: 0,
}

export const KIND_WORDS: Readonly<Record<DifferenceKind, { label: string; rule: string }>> = {
  edited: {
    label: 'Edited',
    rule: 'A field other than its votes changed, or its end moved later.',
  },
  ended_early: { label: 'Ended early', rule: 'It got an end, or an earlier one.' },
  vanished: {
    label: 'No longer listed',
    rule: 'The earlier edition has it, and the later one does not.',
  },
  returned: {
    label: 'Listed again',
    rule: 'Only the later edition has it, but it was listed before the earlier edition was made.',
  },
  new: { label: 'Added', rule: 'Only the later edition has it.' },
  votes: { label: 'Votes only', rule: 'Only its votes changed.' },
}

const FIELD_WORDS: Readonly<Record<string, { label: string }>> = {
  user_id: { label: 'user' },
  rating_label: { label: 'label of the rating' },
  action_label: { label: 'label of the action' },
  tally_agree: { label: 'agree' },
  tally_disagree: { label: 'disagree' },
  tally_comment: { label: 'comments' },
  created_at: { label: 'posted' },
  created_at_date: { label: 'date posted' },
  expired_at: { label: 'expires' },
  expired_at_date: { label: 'date it expires' },
}
export const toFieldWord = (field: string): string => FIELD_WORDS[field]?.label ?? field

const FIELD_MAX_LENGTH = 200

/** Files have one row per changed field, or one for a rating without changed fields. */
export const differenceList = defineList({
  path: 'editions/differences',
  title: 'Differences',
  one: 'rating',
  page: { path: '/downloads/changes', title: 'What changed between editions' },
  tag: 'Dumps',
  permission: 'read',
  cached: 'archive',
  summary: {
    page: 'One page of the differences between two editions of the posts dump',
    facets: 'Counts of differing ratings per filter value',
    file: 'All changes between two editions',
  },
  method:
    'Every rating of the query that differs between the two editions, in its order: one row per changed field, and one row without a field for a rating that was added, removed or listed again. Texts are those of the weekly dumps. If an id repeats, the last row counts. Columns that only one edition has are not compared.',
  toHead: ({ from, to }) => {
    const words = [from, to].flatMap((day) => (typeof day === 'string' ? [day] : []))
    return { words, isDated: words.length === 2 }
  },
  fields: {
    id: { label: 'Id', type: 'whole', nullable: true, numeric: true, sort: 'desc' },
    kind: {
      label: 'What happened',
      type: DIFFERENCE_KINDS,
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'kind',
        parameter: parameter.choices(DIFFERENCE_KINDS, 'Kinds of difference.', DIFFERENCE_KINDS),
        plural: 'kinds',
        phrase: 'alone',
        words: KIND_WORDS,
        values: DIFFERENCE_KINDS,
      },
    },
    symbol: {
      label: 'Symbol',
      type: 'text',
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'symbol',
        parameter: parameter.symbols(),
        plural: 'symbols',
        phrase: 'alone',
      },
    },
    user_id: {
      label: 'User',
      type: 'whole',
      nullable: true,
      numeric: true,
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'user',
        parameter: parameter.wholes('User numbers.', '12'),
        plural: 'users',
        toText: toNumberText,
      },
    },
    rating: { label: 'Rating', type: 'whole', nullable: true },
    prediction: { label: 'Prediction', type: 'decimal', nullable: true, numeric: true },
    created_at: { label: 'Posted', type: 'instant', nullable: true, sort: 'desc' },
    field: {
      label: 'Field',
      type: 'text',
      nullable: true,
      filter: {
        by: 'values',
        name: 'field',
        parameter: parameter.texts(FIELD_MAX_LENGTH, 'Changed columns.', 'prediction'),
        plural: 'fields',
        words: FIELD_WORDS,
        all: true,
      },
    },
    before: { label: 'Before', type: 'text', nullable: true, mayBeNumber: true },
    after: { label: 'After', type: 'text', nullable: true, mayBeNumber: true },
  },
  table: ['kind', 'symbol', 'user_id', 'field', 'rating', 'prediction', 'created_at', 'id'],
  sort: { column: 'kind', direction: 'asc' },
  parameters: {
    from: parameter.day(
      'Sunday of the earlier edition; it must be kept here.',
      '2026-11-08',
      'the newest before `to`.',
    ),
    to: parameter.day(
      'Sunday of the later edition; it must be kept here.',
      '2026-11-15',
      'the current edition.',
    ),
  },
  order: ['from', 'to', 'kind', 'field'],
  context: [
    {
      by: 'combined',
      word: 'editions',
      names: ['from', 'to'],
      toText: ({ from, to }: { from: string | null; to: string | null }) => {
        if (from !== null && to !== null) return `${from} to ${to}`
        return from === null ? to && `up to ${to}` : `since ${from}`
      },
      isContext: true,
    },
  ],
  refuse: ({ from, to }) =>
    from !== null && to !== null && from >= to
      ? [{ parameter: 'from', message: 'is not before to' }]
      : [],
})
export type DifferencesQuery = ListQuery<typeof differenceList>
export type DifferenceColumn = keyof typeof differenceList.fields

export const DIFFERENCE_COLUMNS = selectFieldNames(differenceList)

export const differencesQuery = differenceList.query

export const EVERY_DIFFERENCE: DifferencesQuery = toDefaults(differencesQuery)
