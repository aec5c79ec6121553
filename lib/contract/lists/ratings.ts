import { type FilterReader, toNumberText } from '#lib/contract/filter-words.ts'
import { MOVES, moveLabel } from '#lib/contract/moves.ts'
import { QUALITIES, qualityLabel } from '#lib/contract/quality.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import {
  ACTION_LABELS,
  actionLabel,
  RATING_LABELS,
  ratingLabel,
  STATE_LABELS,
} from '#lib/contract/rating-fields.ts'
import { defineList, span } from './define-list.ts'

export const RATING_STATES = ['active', 'expired'] as const
const ENDS = ['expired', 'vanished', 'renewed'] as const

const TEXT = { type: 'text' } as const
const NUMBER = { type: 'whole', numeric: true } as const
const COUNT = { type: 'count', numeric: true, sort: 'desc' } as const

const toPeriodText = (period: string, { zone }: FilterReader) =>
  zone === 'UTC' ? period : `${period} UTC`

const tally = <const N extends string>(name: N, meaning: string) =>
  ({
    by: 'values',
    name,
    parameter: parameter.wholes(meaning, '1'),
    phrase: 'after',
    toText: (count: number, { formatCount }: FilterReader) => formatCount(count),
  }) as const

const toWords = <V extends string | number>(values: readonly V[], toLabel: (value: V) => string) =>
  Object.fromEntries(values.map((value) => [value, { label: toLabel(value) }]))

const toCodes = (labels: Readonly<Record<number, string>>) => Object.keys(labels).map(Number)

const WHOSE = ['id', 'symbol', 'user', 'rating', 'action'] as const
const FIGURES = ['prediction', 'agree', 'disagree', 'comments'] as const
const OTHERS = ['expires', 'quality', 'moved'] as const
const POSTED = ['from', 'to'] as const

type Bounds = Readonly<
  Record<
    'prediction_min' | 'prediction_max' | 'prediction_above' | 'prediction_below',
    string | null
  >
>

function toBoundsText(bounds: Bounds, { formatPrediction }: FilterReader): string | null {
  const { prediction_min: low, prediction_max: high } = bounds
  const { prediction_above: above, prediction_below: below } = bounds
  if (above === null && below === null && low !== null && high !== null) {
    return low === high
      ? formatPrediction(low)
      : `${formatPrediction(low)} to ${formatPrediction(high)}`
  }
  const words = [
    above !== null && `above ${formatPrediction(above)}`,
    low !== null && `${formatPrediction(low)} or more`,
    below !== null && `below ${formatPrediction(below)}`,
    high !== null && `up to ${formatPrediction(high)}`,
  ].filter((word) => word !== false)
  return words.length === 0 ? null : words.join(', ')
}

export const ratingList = defineList({
  path: 'ratings',
  title: 'Ratings',
  one: 'rating',
  tag: 'Ratings',
  permission: 'read',
  cached: 'row',
  summary: {
    page: 'One page of ratings',
    facets: 'Counts of ratings per filter value',
    file: 'All ratings of a query',
  },
  method:
    'Every rating of the query, in its order, as the service sent it. Rows are counted and written from one state of the archive.',
  fields: {
    id: {
      ...NUMBER,
      label: 'ID',
      sort: 'desc',
      filter: {
        by: 'values',
        name: 'id',
        parameter: parameter.wholes('Rating ids.', '1'),
        toText: toNumberText,
      },
    },
    user_id: {
      ...NUMBER,
      label: 'User',
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'user',
        parameter: parameter.wholes('User numbers.', '12'),
        plural: 'users',
        toText: toNumberText,
      },
    },
    symbol: {
      ...TEXT,
      label: 'Symbol',
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'symbol',
        parameter: parameter.symbols(),
        plural: 'symbols',
        phrase: 'alone',
      },
    },
    rating: {
      type: 'whole',
      label: 'Rating',
      sort: 'desc',
      filter: {
        by: 'values',
        name: 'rating',
        parameter: parameter.wholes('Rating codes, 1 to 5.', '4,5'),
        phrase: 'alone',
        words: toWords(toCodes(RATING_LABELS), ratingLabel),
        toText: ratingLabel,
        isOrdered: true,
      },
    },
    rating_label: { ...TEXT, label: 'Label of the rating', sort: 'asc' },
    action: {
      type: 'whole',
      label: 'Action',
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'action',
        parameter: parameter.wholes('Action codes, 1 to 4.', '2'),
        phrase: 'alone',
        words: toWords(toCodes(ACTION_LABELS), actionLabel),
        toText: actionLabel,
      },
    },
    action_label: { ...TEXT, label: 'Label of the action', sort: 'asc' },
    prediction: {
      type: 'decimal',
      label: 'Prediction',
      numeric: true,
      sort: 'desc',
      filter: {
        by: 'values',
        name: 'prediction',
        parameter: parameter.decimals('Exact predictions.', '12.5'),
        toText: (prediction: string, { formatPrediction }: FilterReader) =>
          formatPrediction(prediction),
      },
      range: {
        word: 'prediction',
        bounds: {
          prediction_min: ['>=', parameter.decimal('Minimum prediction, inclusive.', '5')],
          prediction_max: ['<=', parameter.decimal('Maximum prediction, inclusive.', '50')],
          prediction_above: ['>', parameter.decimal('Predictions above this value.', '5')],
          prediction_below: ['<', parameter.decimal('Predictions below this value.', '50')],
        },
        toText: toBoundsText,
      },
    },
    tally_agree: {
      ...COUNT,
      label: 'Agree',
      filter: tally('agree', 'Agree counts.'),
    },
    tally_disagree: {
      ...COUNT,
      label: 'Disagree',
      filter: tally('disagree', 'Disagree counts.'),
    },
    tally_comment: {
      ...COUNT,
      label: 'Comments',
      filter: tally('comments', 'Comment counts.'),
    },
    created_at: {
      type: 'instant',
      label: 'Posted',
      sort: 'desc',
      filter: {
        by: 'values',
        name: 'created',
        parameter: parameter.periods('Posted in these periods.', '2024-01'),
        word: 'posted',
        toText: toPeriodText,
      },
      range: span('posted', 'Posted at or after.', 'Posted before.'),
    },
    created_at_date: { ...TEXT, label: 'Date posted', sort: 'desc' },
    expired_at: {
      type: 'instant',
      label: 'Expires',
      nullable: true,
      numeric: true,
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'expires',
        parameter: parameter.expiries('Expire in these periods, or never.', 'never'),
        toText: toPeriodText,
      },
    },
    expired_at_date: { ...TEXT, label: 'Date it expires', nullable: true, sort: 'asc' },
    previous_rating: { type: 'whole', label: 'Previous rating', nullable: true },
    previous_prediction: { type: 'decimal', label: 'Previous prediction', nullable: true },
    state: {
      type: RATING_STATES,
      label: 'State',
      nullable: true,
      filter: {
        by: 'choice',
        name: 'state',
        parameter: parameter.choice(RATING_STATES, null, 'State at `asof`.'),
        phrase: 'alone',
        words: toWords(RATING_STATES, (state) => STATE_LABELS[state]),
      },
    },
    vanished_at: { type: 'instant', label: 'No longer listed since', nullable: true },
    ended: { type: ENDS, label: 'Ended by', nullable: true },
    extra: { ...TEXT, label: 'Unknown fields', nullable: true, onRequest: true },
    quality: {
      type: QUALITIES,
      label: 'Data quality',
      files: [],
      filter: {
        by: 'values',
        name: 'quality',
        parameter: parameter.choices(QUALITIES, 'Data quality checks.'),
        words: toWords(QUALITIES, qualityLabel),
        phrase: 'alone',
      },
    },
    moved: {
      type: MOVES,
      label: 'Change',
      files: [],
      filter: {
        by: 'values',
        name: 'moved',
        parameter: parameter.choices(MOVES, 'Changes to active ratings.'),
        words: toWords(MOVES, moveLabel),
        phrase: 'alone',
      },
      range: {
        word: 'moved in',
        bounds: {
          moved_from: ['>=', parameter.instant('With `moved`: start, inclusive.', '2024-01-01')],
          moved_to: ['<', parameter.instant('With `moved`: end, exclusive.', '2026-01-01')],
        },
      },
    },
  },
  // The table of ratings is its own: components/ratings/table.
  table: [],
  sort: { column: 'created_at', direction: 'desc' },
  parameters: { asof: parameter.asof() },
  order: [...WHOSE, ...FIGURES, 'created', ...OTHERS, 'moved_from', 'moved_to', ...POSTED],
  addressOrder: [...WHOSE, ...FIGURES, 'created', ...OTHERS, ...POSTED],
  wordOrder: [
    ...[...WHOSE, 'created', ...FIGURES, ...OTHERS],
    ...['from', 'moved_from', 'prediction_min', 'state'],
  ],
})
