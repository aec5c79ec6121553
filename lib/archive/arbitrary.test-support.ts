import fc from 'fast-check'
import type { IncomingRating } from '#lib/contract/incoming-rating.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { toSymbolKey } from '#lib/contract/rating.ts'
import { RATING_SORTS, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { ANY, type Chosen } from '#lib/contract/value-list.ts'
import type { Archive } from './archive.ts'
import { openArchive } from './open-archive.ts'

/** 2024-01-01, a Monday. Few instants and few members make ties and follow-ups frequent. */
export const START = 1_704_067_200
const DAY = 86_400

const SYMBOLS = ['AAPL', 'aapl', 'MSFT', 'BRK.B', 'brk.b', 'Ünï', 'ünï', '日経', '%_', 'straße']

export const anInstant = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map((days) => START + days * DAY),
  fc.integer({ min: START, max: START + 40 * DAY }),
)

const aPrediction = fc.oneof(
  fc.constantFrom('0', '-0', '+1.5', '1.50', '-3.25', '100', '100.000001', '999999999999.999999'),
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

type Given = {
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

function completeRating(given: Given): IncomingRating['rating'] {
  return {
    ...given,
    rating_label: `Rating ${given.rating}`,
    action_label: `Action ${given.action}`,
    tally_disagree: given.id % 3,
    tally_comment: 0,
    created_at_date: toDateText(given.created_at),
    expired_at_date: given.expired_at === null ? null : toDateText(given.expired_at),
  }
}

/** A rating with everything that a test does not care about filled in. */
export const makeRating = (given: Partial<Given> & { id: number }): IncomingRating => ({
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

const aSubset = <T>(...values: T[]): fc.Arbitrary<T[]> =>
  fc.oneof(fc.constant<T[]>([]), fc.subarray(values))

/** Mostly nothing, sometimes values that are left, values that are taken out, or both. */
const aChoice = <T>(...values: T[]): fc.Arbitrary<Chosen<T>> =>
  fc.record({ only: aSubset(...values), not: aSubset(...values) })

const aRareChoice = <T>(...values: T[]): fc.Arbitrary<Chosen<T>> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant<Chosen<T>>(ANY) }, aChoice(...values))

const aBound = fc.option(aPrediction, { freq: 2 })
const aRareBound = fc.option(aPrediction, { freq: 8 })

export const aRatingsQuery: fc.Arbitrary<RatingsQuery> = fc.record({
  id: aRareChoice(1, 2, 3, 30, 999),
  symbol: aChoice(...new Set(SYMBOLS.map(toSymbolKey)), 'NONE'),
  user: aChoice(1, 2, 3, 99),
  rating: aChoice(1, 3, 5, -7),
  action: aChoice(1, 2, 9),
  prediction: aRareChoice('0', '1.5', '-3.25', '100.000001', '7'),
  agree: aRareChoice(0, 1, 9),
  disagree: aRareChoice(0, 1),
  comments: aRareChoice(0, 5),
  created: aRareChoice('2024', '2024-01', '2024-01-09', '1999'),
  expires: aRareChoice('2024', '2024-01', '2024-02-01', 'never', '1970-01-01'),
  from: fc.option(anInstant, { freq: 2 }),
  to: fc.option(anInstant, { freq: 2 }),
  prediction_min: aBound,
  prediction_max: aBound,
  prediction_above: aRareBound,
  prediction_below: aRareBound,
  state: fc.constantFrom<RatingsQuery['state']>(null, null, 'active', 'expired'),
  asof: fc.option(anInstant, { freq: 2 }),
  sort: fc.record({
    column: fc.constantFrom(...RATING_SORTS),
    direction: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  }),
  page: fc.integer({ min: 1, max: 4 }),
  per_page: fc.constantFrom(1, 3, 10, 500),
})

export const aCommunity = fc.array(aRating, { maxLength: 60 })

export const openMemory = async (options: { rebuildAbove?: number } = {}): Promise<Archive> =>
  await openArchive({ path: ':memory:', now: () => START, ...options })

/** One whole import run. */
export async function importRows(
  archive: Archive,
  rows: readonly IncomingRating[],
  completeTo: number | null = null,
) {
  const run = await archive.beginImport({ kind: 'dump', name: '2024-01-07' })
  await run.append(rows, [])
  return await run.commit({ completeTo })
}
