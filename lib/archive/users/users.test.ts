import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import type { NearUsersQuery } from '#lib/contract/lists/users.ts'
import { USER_SORTS } from '#lib/contract/lists/users.ts'
import type { IncomingRating } from '#lib/contract/rating.ts'
import { aRating, importRows, makeRating, openMemory, START } from '#testing/archive/arbitrary.ts'
import { deriveRows, type OracleRow, pageOf } from '#testing/archive/oracle.ts'
import { hasRealRatings, readRealRatings } from '#testing/archive/real-ratings.ts'
import { userRatingsOf, userTable } from '#testing/archive/users-oracle.ts'
import { draws } from '#testing/draws.ts'
import { selectUser, selectUserRatings, selectUsers } from './users.ts'

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

const LATER = START + 400 * DAY

async function openOwn(own: Parameters<typeof makeRating>[0][]) {
  const archive = await openMemory()
  await importRows(archive, own.map(makeRating))
  return archive
}

test('who had not rated by then has no record, which is not an empty one', async () => {
  const archive = await openOwn([{ id: 10, created_at: START + 5 * DAY }])
  const before = { at: START + 4 * DAY }
  expect(await selectUser(archive.reader, 1, before)).toBeNull()
  expect(await selectUserRatings(archive.reader, 1, before)).toBeNull()
  expect((await selectUser(archive.reader, 1, { at: START + 5 * DAY }))?.ratings).toBe(1)
  await archive.close()
})

test('an end is told by what the user did next', async () => {
  const archive = await openOwn([
    { id: 10, symbol: 'R', created_at: START, expired_at: START + 10 * DAY },
    { id: 11, symbol: 'R', created_at: START + 10 * DAY, expired_at: START + 20 * DAY },
    { id: 12, symbol: 'R', created_at: START + 30 * DAY, expired_at: START + 40 * DAY },
    { id: 13, symbol: 'R', created_at: START + 50 * DAY, expired_at: START + 45 * DAY },
    { id: 14, symbol: 'L', created_at: START, expired_at: START + DAY },
    { id: 15, symbol: 'A', created_at: START, expired_at: 0 },
  ])
  const ratings = await selectUserRatings(archive.reader, 1, { at: LATER })
  expect(
    ratings?.symbols.find(({ symbol }) => symbol === 'R')?.calls.map((one) => one.ended),
  ).toEqual(['expired', 'expired', 'expired', 'expired'])
  expect(ratings?.symbols.find(({ symbol }) => symbol === 'A')?.calls[0]).toMatchObject({
    until: null,
    ended: null,
  })
  await archive.close()
})

test('what was posted later had not ended anything yet', async () => {
  const archive = await openOwn([
    { id: 10, created_at: START + DAY, expired_at: START + 90 * DAY },
    { id: 11, created_at: START + 20 * DAY },
  ])
  const then = await selectUserRatings(archive.reader, 1, { at: START + 10 * DAY })
  expect(then?.symbols[0]?.calls).toMatchObject([{ id: 10, until: START + 90 * DAY, ended: null }])
  const ahead = await selectUserRatings(archive.reader, 1, { at: LATER })
  expect(ahead?.symbols[0]?.calls).toMatchObject([
    { id: 10, until: START + 20 * DAY, ended: 'renewed' },
    { id: 11, until: null, ended: null },
  ])
  await archive.close()
})

test('of many ratings the latest symbols are listed, all are counted', async () => {
  const many = Array.from({ length: 1200 }, (_, index) => ({
    id: 100 + index,
    rating: 5,
    symbol: `S${index % 60}`,
    created_at: START + index * 60,
  }))
  const archive = await openOwn(many)
  const ratings = await selectUserRatings(archive.reader, 1, { at: LATER })
  expect(ratings).toMatchObject({ symbols_total: 60, calls_total: many.length })
  expect(ratings?.symbols).toHaveLength(40)
  expect(ratings?.symbols[0]?.symbol).toBe('S59')
  await archive.close()
})
