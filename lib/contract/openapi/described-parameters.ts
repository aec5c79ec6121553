import {
  BUCKETS,
  CALL_SORTS,
  COMPARED_MAX,
  SYMBOL_SORTS,
  USER_SORTS,
} from '#lib/contract/api-queries.ts'
import { DIFFERENCE_KINDS, DIFFERENCE_SORTS } from '#lib/contract/edition-differences.ts'
import { EXPORT_COLUMNS, FORMULAS, ROW_COLUMNS } from '#lib/contract/export-choice.ts'
import { HORIZON_NAME_DEFAULT, HORIZON_NAMES } from '#lib/contract/horizons.ts'
import { LOOKUP_FIELDS } from '#lib/contract/lookups-query.ts'
import { MOVES } from '#lib/contract/moves.ts'
import type { Operation } from '#lib/contract/operations/operation.ts'
import { QUALITIES } from '#lib/contract/quality.ts'
import {
  PER_PAGE_DEFAULT,
  PER_PAGE_MAX,
  RATING_SORTS,
  RATING_STATES,
} from '#lib/contract/ratings-query.ts'
import { WATCHED_MAX } from '#lib/contract/watching-query.ts'

/** A schema of JSON, as far as parameters need one. */
type ValueSchema = {
  type: 'string' | 'integer' | 'array'
  enum?: readonly string[]
  items?: ValueSchema
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  default?: string | number
}

/** What a parameter takes. `example` is a value that every archive accepts. */
export type DescribedParameter = {
  name: string
  in: 'query' | 'path'
  description: string
  required?: true
  /** A list is repeated, or separated by commas. */
  explode?: true
  schema: ValueSchema
  example: string
}

type Description = Omit<DescribedParameter, 'name' | 'in'>

const text = (description: string, example: string, rest: Partial<ValueSchema> = {}) => ({
  description,
  schema: { type: 'string' as const, ...rest },
  example,
})

const whole = (description: string, example: number, rest: Partial<ValueSchema> = {}) => ({
  description,
  schema: { type: 'integer' as const, ...rest },
  example: String(example),
})

const LIST_MAX = 100

const list = (description: string, example: string, items: ValueSchema = { type: 'string' }) => ({
  description: `${description} A minus before a value takes it out.`,
  explode: true as const,
  schema: { type: 'array' as const, items, maxItems: LIST_MAX },
  example,
})

const choice = (description: string, choices: readonly string[], fallback?: string) =>
  text(description, choices[0] ?? '', {
    enum: choices,
    ...(fallback === undefined ? {} : { default: fallback }),
  })

/** Either direction of every column. */
const sort = (columns: readonly string[], fallback: string) =>
  choice(
    'The column that rows are in order of; descending with a minus.',
    [...columns, ...columns.map((column) => `-${column}`)],
    fallback,
  )

const toInstant = (of: 'beginning' | 'last second') =>
  `A day, a month or a year (its ${of}), a UTC date-time, or seconds since 1970 (10 digits or more).`
const INSTANT = toInstant('beginning')
const ASOF = toInstant('last second')
const PREDICTION = 'A decimal number, in percent.'

/** What each name means wherever it has no other meaning. */
const MEANINGS: Readonly<Record<string, Description>> = {
  id: list('Ids of ratings.', '1'),
  symbol: list('Symbols, in any case.', 'AAPL'),
  user: list('Numbers of users.', '12'),
  rating: list('Codes of ratings, 1 to 5.', '4,5'),
  action: list('Codes of actions, 1 to 4.', '2'),
  prediction: list('Predictions, exactly.', '12.5'),
  agree: list('Numbers of users who agree.', '1'),
  disagree: list('Numbers of users who disagree.', '1'),
  comments: list('Numbers of comments.', '1'),
  created: list('Days, months or years (UTC) that ratings were posted in.', '2024-01'),
  expires: list('Days, months or years (UTC) that ratings expire in, or never.', 'never'),
  quality: list('Lenses on the quality of the data.', QUALITIES[0] ?? '', {
    type: 'string',
    enum: QUALITIES.flatMap((name) => [name, `-${name}`]),
  }),
  moved: list('What happened to the ratings that were active.', MOVES[0] ?? '', {
    type: 'string',
    enum: MOVES.flatMap((name) => [name, `-${name}`]),
  }),
  moved_from: text(`With moved: what happened from then on. ${INSTANT}`, '2024-01-01'),
  moved_to: text(`With moved: what happened before then. ${INSTANT}`, '2026-01-01'),
  from: text(`Posted from then on. ${INSTANT}`, '2024-01-01'),
  to: text(`Posted before then. ${INSTANT}`, '2026-01-01'),
  prediction_min: text(`The least prediction. ${PREDICTION}`, '5'),
  prediction_max: text(`The largest prediction. ${PREDICTION}`, '50'),
  prediction_above: text(`Predictions above it. ${PREDICTION}`, '5'),
  prediction_below: text(`Predictions below it. ${PREDICTION}`, '50'),
  state: choice('Ratings in that state at asof.', RATING_STATES),
  asof: text(`Only what existed then, as it stood then. ${ASOF} Default: now.`, '2026-01-31'),
  sort: sort(RATING_SORTS, '-created_at'),
  page: whole('The page.', 1, { minimum: 1, maximum: 9_999_999, default: 1 }),
  per_page: whole('Rows to a page.', 10, {
    minimum: 1,
    maximum: PER_PAGE_MAX,
    default: PER_PAGE_DEFAULT,
  }),
  q: text('Text anywhere in the symbol.', 'A', { maxLength: 64 }),
  like: text('A text that may be misspelled: symbols that are spelled nearly so.', 'AALP', {
    maxLength: 64,
  }),
  peers_of: whole(
    'The users that this one is compared with: those with the most similar number of judged ratings.',
    1,
  ),
  farther_than: whole('Users who were farther from the later consensus than this one.', 1),
  date: text('The day (UTC) whose last second is meant. Default: now.', '2026-01-31'),
  bucket: choice('How long a bucket is.', ['auto', ...BUCKETS], 'auto'),
  reason: text('Rows of that reason, spelled as it is.', '', { maxLength: 1000 }),
  probe: choice('What is asked: whether it can serve, or lives.', ['live', 'ready'], 'ready'),
  columns: {
    description: `Columns in their order, separated by commas: ${EXPORT_COLUMNS.join(', ')}. Default: all but extra.`,
    schema: { type: 'string', default: ROW_COLUMNS.join(',') },
    example: 'symbol,rating,prediction',
  },
  formulas: choice('What becomes of a text that looks like a formula.', FORMULAS, 'safe'),
  bom: choice('1 puts a byte order mark before the text.', ['0', '1'], '0'),
}

const LEAGUE_ASOF = text(`The instant that all is judged at. ${ASOF} Default: now.`, '2026-01-31')

/** What a name means on some routes only. */
export const MEANING_OF_SYMBOLS = {
  sort: sort(SYMBOL_SORTS, '-active'),
  asof: LEAGUE_ASOF,
} as const
const HORIZON = choice(
  'After how many days a rating is looked at again.',
  HORIZON_NAMES,
  HORIZON_NAME_DEFAULT,
)
export const MEANING_OF_USERS = {
  q: text('The beginning of a user’s number.', '1', { maxLength: 64 }),
  like: text('A number that may be mistyped: users whose number is one digit away from it.', '12', {
    maxLength: 64,
  }),
  sort: sort(USER_SORTS, '-ratings'),
  horizon: HORIZON,
  asof: LEAGUE_ASOF,
} as const
export const MEANING_OF_CALLS = {
  horizon: HORIZON,
  sort: sort(CALL_SORTS, 'created_at'),
  asof: text(`No rating and no price after it counts. ${ASOF} Default: now.`, '2026-01-31'),
} as const
export const MEANING_OF_LOOKUPS = {
  source: list('Where it was asked, as the dump calls it.', 'slack'),
  room: list('Rooms that it was asked in, as the dump calls them.', '17'),
  from: text(`Looked up from then on. ${INSTANT}`, '2024-01-01'),
  to: text(`Looked up before then. ${INSTANT}`, '2026-01-01'),
  asof: text(`Only what had been looked up by then. ${ASOF} Default: now.`, '2026-01-31'),
  sort: sort(LOOKUP_FIELDS, '-created_at'),
} as const
export const MEANING_OF_DIFFERENCES = {
  from: text(
    'The Sunday of the earlier edition, which has to be kept. Default: the newest before `to`.',
    '2026-11-08',
  ),
  to: text(
    'The Sunday of the later edition, which has to be kept. Default: the newest that is served.',
    '2026-11-15',
  ),
  kind: list('What became of the rating.', 'edited', {
    type: 'string',
    enum: DIFFERENCE_KINDS,
  }),
  field: list('Ratings of which that column changed.', 'prediction'),
  sort: sort(DIFFERENCE_SORTS, 'kind'),
} as const
export const MEANING_OF_MOVES = {
  from: text(
    `What happened after it counts. ${INSTANT} Default: 90 days before \`to\`.`,
    '2024-01-01',
  ),
  to: text(`What happened up to it counts. ${INSTANT} Default: now.`, '2026-01-01'),
} as const
export const MEANING_OF_CHANGES = {
  from: text(
    `The period begins with it. ${INSTANT} Default: the Sunday 00:00 in New York before \`to\`.`,
    '2026-01-04',
  ),
  to: text(
    `The period ends before it. ${INSTANT} Default: the Sunday 00:00 in New York after \`from\`, or the last one.`,
    '2026-01-11',
  ),
  asof: text(`An instant that stands for now. ${ASOF} Default: now.`, '2026-01-31'),
} as const
export const MEANING_OF_SERIES = {
  from: text(`The first bucket shown holds it. ${INSTANT}`, '2024-01-01'),
  to: text(`The last bucket shown begins before it. ${INSTANT}`, '2026-01-01'),
  asof: text(`The series ends at it. ${ASOF} Default: now.`, '2026-01-31'),
} as const
export const MEANING_OF_COMPARE = {
  ...MEANING_OF_SERIES,
  symbol: {
    ...list('', 'AAPL'),
    description: `One to ${COMPARED_MAX} symbols, in any case.`,
    required: true as const,
    schema: { type: 'array' as const, items: { type: 'string' as const }, maxItems: COMPARED_MAX },
  },
} as const

const several = (description: string, example: string, maxItems: number) => ({
  description,
  explode: true as const,
  schema: { type: 'array' as const, items: { type: 'string' as const }, maxItems },
  example,
})
export const MEANING_OF_WATCHING = {
  symbol: several('Symbols, in any case.', 'AAPL', WATCHED_MAX.symbol),
  user: several('Numbers of users.', '12', WATCHED_MAX.user),
  view: several(
    'Filters of ratings as the text of an address; repeated for each, a comma separates nothing.',
    'rating=4,5',
    WATCHED_MAX.view,
  ),
} as const

/** The parameters of an operation: those of its path first, the others in the order of its schema. */
export function describeParameters({
  parts,
  query,
}: Pick<Operation, 'parts' | 'query'>): DescribedParameter[] {
  const path = Object.entries(parts).map(([name, { meaning, example, type, maxLength }]) => ({
    name,
    in: 'path' as const,
    required: true as const,
    description: meaning,
    schema: { type, ...(maxLength !== undefined && { maxLength }) },
    example,
  }))
  const named = Object.keys(query.parameters).map((name) => {
    const description = MEANINGS[name]
    if (!description) throw new Error(`Nothing says what the parameter ${name} means.`)
    return { name, in: 'query' as const, ...description }
  })
  return [...path, ...named]
}
