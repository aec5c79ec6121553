import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import type { NearUsersQuery } from '#lib/contract/lists/users.ts'
import { USER_SORTS } from '#lib/contract/lists/users.ts'
import type { IncomingRating } from '#lib/contract/rating.ts'
import { aRating, importRows, openMemory, START } from '#testing/archive/arbitrary.ts'
import { deriveRows, type OracleRow, pageOf } from '#testing/archive/oracle.ts'
import { hasRealRatings, readRealRatings } from '#testing/archive/real-ratings.ts'
import { userRatingsOf, userTable } from '#testing/archive/users-oracle.ts'
import { draws } from '#testing/draws.ts'
import { selectUserRatings } from './user.ts'
import { selectUsers } from './users.ts'

const DAY = 86_400

const aCrowd = fc.array(
  fc
    .tuple(
      aRating,
      fc.nat(90),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('AAPL', 'aapl', 'B'),
    )
    .map(([given, days, user_id, symbol]): IncomingRating => {
      const { rating, extra } = given
      const shift = (seconds: number) => seconds + days * DAY
      const expired_at =
        rating.expired_at && rating.expired_at > START ? shift(rating.expired_at) : null
      return {
        extra,
        rating: {
          ...rating,
          user_id,
          symbol,
          created_at: shift(rating.created_at),
          expired_at: rating.id % 4 === 0 ? rating.expired_at : expired_at,
        },
      }
    }),
  { maxLength: 60, size: 'max' },
)

const anInstant = fc.oneof(
  fc.integer({ min: -2, max: 180 }).map((days) => START + days * DAY),
  fc.integer({ min: START, max: START + 500 * DAY }),
)

const aQuery: fc.Arbitrary<NearUsersQuery> = fc.record({
  q: fc.constantFrom('', '', '', '1', '2', '%', 'x'),
  like: fc.constantFrom('', '', '', '1', '12', '21', '-1', 'x'),
  sort: fc.record({
    column: fc.constantFrom(...USER_SORTS),
    direction: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  }),
  asof: fc.constant(null),
  page: fc.integer({ min: 1, max: 3 }),
  per_page: fc.constantFrom(2, 50),
})

async function holdUsers(
  { archive, rows }: { archive: Archive; rows: OracleRow[] },
  { query, userId, at }: { query: NearUsersQuery; userId: number; at: number },
) {
  const lines = userTable(rows, query, at)
  expect(await selectUsers(archive.reader, query, { at })).toEqual({
    rows: pageOf(lines, query),
    total: lines.length,
    luck: { ranked: 0, beat: 0, expected: '0.000000', worse: 0, expected_worse: '0.000000' },
  })
  expect(await selectUserRatings(archive.reader, userId, { at })).toEqual(
    userRatingsOf(rows, userId, at),
  )
}

test('what is said of users is what plain counting gives, at any instant', async () => {
  const questions = fc.array(fc.tuple(aQuery, fc.integer({ min: 1, max: 10 }), anInstant), {
    minLength: 6,
    maxLength: 6,
  })
  const property = fc.asyncProperty(aCrowd, questions, async (crowd, asked) => {
    const archive = await openMemory()
    await importRows(archive, crowd)
    const rows = deriveRows(crowd)
    for (const [query, userId, at] of asked) {
      await holdUsers({ archive, rows }, { query, userId, at })
    }
    await archive.close()
  })
  await fc.assert(property, { numRuns: draws(16) })
})

test.skipIf(!hasRealRatings)(
  'so it is for real ratings',
  async () => {
    const real = readRealRatings()
    const busy = new Set(['AAPL', 'MSFT', 'TSLA'])
    const crowd = real.filter(({ rating }) => busy.has(rating.symbol))
    const archive = await openMemory()
    await importRows(archive, crowd)
    const rows = deriveRows(crowd)
    const counts = new Map<number, number>()
    for (const { user_id } of rows) counts.set(user_id, (counts.get(user_id) ?? 0) + 1)
    const busiest = [...counts].sort(([, a], [, b]) => b - a).slice(0, 8)
    for (const [index, [userId]] of busiest.entries()) {
      const at = 1_400_000_000 + index * 45_000_000
      const sort = { column: 'symbols', direction: 'desc' } as const
      const query = { q: '', sort, asof: null, page: 1, per_page: 500 }
      await holdUsers({ archive, rows }, { query, userId, at })
    }
    await archive.close()
  },
  60_000,
)
