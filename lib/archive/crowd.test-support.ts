import fc from 'fast-check'
import type { IncomingRating } from '#lib/contract/incoming-rating.ts'
import { aCommunity, aRating, START } from './arbitrary.test-support.ts'

const DAY = 86_400

const SYMBOLS = ['AAPL', 'aapl', 'B', 'C', 'D', 'E', 'F', 'G']

/** Early, so that much stands when it is asked about; whole days, so that some end in the second in which others begin. */
const aDay = fc.oneof(
  { weight: 3, arbitrary: fc.nat(6) },
  { weight: 1, arbitrary: fc.integer({ min: 7, max: 40 }) },
)

const aLife = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(null, 0) },
  { weight: 3, arbitrary: fc.integer({ min: 20, max: 70 }) },
  { weight: 1, arbitrary: fc.integer({ min: -5, max: 20 }) },
)

/**
 * Many members on few symbols: in {@link aCommunity} hardly three opinions ever stand on a symbol together, so a mean is
 * that of two, and nothing is compared with anything.
 */
export const aCrowd: fc.Arbitrary<IncomingRating[]> = fc.array(
  fc
    .record({
      given: aRating,
      id: fc.integer({ min: 1, max: 900 }),
      user_id: fc.integer({ min: 1, max: 14 }),
      symbol: fc.constantFrom(...SYMBOLS),
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

/** Sparse and odd, or a crowd. */
export const aCommunityOrCrowd = fc.oneof(aCommunity, aCrowd)
