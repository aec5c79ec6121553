import fc from 'fast-check'
import type { Archive, WholeImport } from '#lib/archive/archive.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { MOVES } from '#lib/contract/moves.ts'
import { QUALITIES } from '#lib/contract/quality.ts'
import { toParams, toQueryText } from '#lib/contract/query-schema.ts'
import type { IncomingRating } from '#lib/contract/rating.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  EVERY_RATING,
  LISTS,
  parseRatingsQuery,
  RATING_SORTS,
  type RatingsQuery,
  ratingsQuery,
} from '#lib/contract/ratings-query.ts'
import type { Chosen } from '#lib/contract/value-list.ts'

/** 2024-01-01. Few instants and users make ties frequent. */
export const START = 1_704_067_200
const DAY = 86_400

/** Includes texts whose UTF-16 order differs from their byte order. */
const SYMBOLS = [
  ...['AAPL', 'aapl', 'MSFT', 'BRK.B', 'brk.b', 'Ünï', 'ünï', 'straße', 'STRASSE'],
  ...['Chambéry', 'chambéry'.normalize('NFD'), 'CHAMBERY'],
  ...['日経', '｡', '🦊', '%_', 'a,b', '-x', '"q"'],
]

export const anInstant = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map((days) => START + days * DAY),
  fc.integer({ min: START, max: START + 40 * DAY }),
)

const aPrediction = fc.oneof(
  fc.constantFrom('0', '-0', '+1.5', '1.50', '-3.25', '100', '100.000001', '999999999999.999999'),
  fc.constantFrom('99.999999', '-99.999999', '-100', '-250.5', '-0.000001'),
  fc.integer({ min: -2000, max: 20_000 }).map((hundredths) => {
    const size = Math.abs(hundredths)
    const text = `${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`
    return hundredths < 0 ? `-${text}` : text
  }),
)

const anExpiry = fc.oneof(fc.constantFrom(null, 0), anInstant, fc.integer({ min: 1, max: START }))

export const aRating: fc.Arbitrary<IncomingRating> = fc
  .record({
    id: fc.integer({ min: 1, max: 60 }),
    user_id: fc.integer({ min: 1, max: 5 }),
    symbol: fc.constantFrom(...SYMBOLS),
    rating: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 5 }) },
      fc.constantFrom(-7, 0, 32_767),
    ),
    action: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 4 }) },
      fc.constantFrom(0, 9),
    ),
    prediction: aPrediction,
    tally_agree: fc.nat(9),
    created_at: anInstant,
    expired_at: anExpiry,
    extra: fc.constantFrom(null, null, null, { note: 'x', at: [1, { b: 1, a: null }] }),
  })
  .map(({ extra, ...fields }) => ({ extra, rating: completeRating(fields) }))

type RatingFields = {
  id: number
  user_id: number
  symbol: string
  rating: number
  action: number
  prediction: string
  tally_agree: number
  created_at: number
  expired_at: number | null
}

function completeRating(given: RatingFields): IncomingRating['rating'] {
  return {
    ...given,
    rating_label: `Rating ${given.rating}`,
    action_label: `Action ${given.action}`,
    tally_disagree: given.id % 3,
    tally_comment: given.id % 2 === 0 ? 0 : 5,
    created_at_date: toDateText(given.created_at),
    expired_at_date: given.expired_at === null ? null : toDateText(given.expired_at),
  }
}

export const makeRating = (given: Partial<RatingFields> & { id: number }): IncomingRating => ({
  extra: null,
  rating: completeRating({
    user_id: 1,
    symbol: 'AAPL',
    rating: 3,
    action: 1,
    prediction: '10.00',
    tally_agree: 0,
    created_at: START + given.id,
    expired_at: null,
    ...given,
  }),
})

function aChoice<T>(...values: T[]): fc.Arbitrary<Chosen<T>> {
  const none = fc.constant<T[]>([])
  const left = fc.subarray(values, { minLength: 1 })
  const out = fc.subarray(values, { minLength: 1, maxLength: 2 })
  return fc.oneof(
    fc.record({ only: left, not: none }),
    fc.record({ only: none, not: out }),
    fc.record({ only: left, not: out }),
  )
}

const aFiltered: fc.Arbitrary<Omit<RatingsQuery, 'sort' | 'page' | 'per_page'>> = fc.record({
  id: aChoice(...Array.from({ length: 20 }, (_, index) => index * 3), 999),
  symbol: aChoice(...new Set(SYMBOLS.map(toSymbolKey)), 'NONE'),
  user: aChoice(1, 2, 3, 99),
  rating: aChoice(1, 3, 5, -7),
  action: aChoice(1, 2, 9),
  prediction: aChoice('0', '1.5', '-3.25', '100.000001', '7'),
  agree: aChoice(0, 1, 5, 9),
  disagree: aChoice(0, 1),
  comments: aChoice(0, 5, 7),
  created: aChoice('2024', '2024-01', '2024-01-09', '1999'),
  expires: aChoice('2024', '2024-01', '2024-02-01', 'never', '1970-01-01'),
  quality: aChoice(...QUALITIES),
  moved: aChoice(...MOVES),
  moved_from: anInstant,
  moved_to: anInstant,
  from: anInstant,
  to: anInstant,
  prediction_min: aPrediction,
  prediction_max: aPrediction,
  prediction_above: aPrediction,
  prediction_below: aPrediction,
  state: fc.constantFrom<RatingsQuery['state']>('active', 'expired'),
  asof: anInstant,
})

const FILTERS = [
  ...LISTS,
  ...(['from', 'to', 'moved_from', 'moved_to', 'state', 'asof'] as const),
  ...(['prediction_min', 'prediction_max', 'prediction_above', 'prediction_below'] as const),
]

const aFilter = fc.tuple(aFiltered, fc.subarray(FILTERS, { maxLength: 4 })).map(([all, used]) => {
  return Object.fromEntries(used.map((name) => [name, all[name]]))
})

const anOrder = fc.record({
  sort: fc.record({
    column: fc.constantFrom(...RATING_SORTS),
    direction: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  }),
  page: fc.constantFrom(1, 1, 1, 2, 3),
  per_page: fc.constantFrom(1, 3, 10, 500),
})

function throughAddress(query: RatingsQuery): RatingsQuery {
  const read = parseRatingsQuery(new URLSearchParams(toQueryText(toParams(ratingsQuery, query))))
  return read.ok ? read.value : query
}

export const aRatingsQuery: fc.Arbitrary<RatingsQuery> = fc
  .tuple(aFilter, anOrder)
  .map(([filter, order]) => throughAddress({ ...EVERY_RATING, ...filter, ...order }))

/** By default fast-check rarely exceeds ten ratings. */
export const aCommunity = fc.array(aRating, { maxLength: 60, size: 'max' })

export const openMemory = async (options: { rebuildAbove?: number } = {}): Promise<Archive> =>
  await openArchive({ path: ':memory:', now: () => START, threads: 1, ...options })

export async function importRows(
  archive: Archive,
  rows: readonly IncomingRating[],
  completeTo: number | null = null,
  whole?: WholeImport,
) {
  return await archive.import({ kind: 'dump', name: '2024-01-07' }, async (run) => {
    await run.append(rows, [])
    return { completeTo, ...(whole ? { whole } : {}) }
  })
}

const CROWD_SYMBOLS = ['AAPL', 'aapl', 'B', 'C', 'D', 'E', 'F', 'G']

const aDay = fc.oneof(
  { weight: 3, arbitrary: fc.nat(6) },
  { weight: 1, arbitrary: fc.integer({ min: 7, max: 40 }) },
)

const aLife = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(null, 0) },
  { weight: 3, arbitrary: fc.integer({ min: 20, max: 70 }) },
  { weight: 1, arbitrary: fc.integer({ min: -5, max: 20 }) },
)

/** Many users on few symbols: {@link aCommunity} rarely has three active opinions on one. */
export const aCrowd: fc.Arbitrary<IncomingRating[]> = fc.array(
  fc
    .record({
      given: aRating,
      id: fc.integer({ min: 1, max: 900 }),
      user_id: fc.integer({ min: 1, max: 14 }),
      symbol: fc.constantFrom(...CROWD_SYMBOLS),
      day: aDay,
      life: aLife,
    })
    .map(({ given, day, life, ...fields }): IncomingRating => {
      const created_at = START + day * DAY
      const expired_at = life ? created_at + life * DAY : life
      return { extra: given.extra, rating: { ...given.rating, ...fields, created_at, expired_at } }
    }),
  { minLength: 70, maxLength: 140 },
)

export const aCommunityOrCrowd = fc.oneof(aCommunity, aCrowd)
