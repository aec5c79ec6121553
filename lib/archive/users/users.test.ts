import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import type { NearUsersQuery } from '#lib/contract/lists/users.ts'
import { USER_SORTS } from '#lib/contract/lists/users.ts'
import type { IncomingRating } from '#lib/contract/rating.ts'
import { toWilsonLow } from '#lib/statistics/exact.ts'
import { aRating, importRows, makeRating, openMemory, START } from '#testing/archive/arbitrary.ts'
import { deriveRows, type OracleRow, pageOf } from '#testing/archive/oracle.ts'
import { hasRealRatings, readRealRatings } from '#testing/archive/real-ratings.ts'
import { recordOf, userRatingsOf, userTable, wilsonLow } from '#testing/archive/users-oracle.ts'
import { draws } from '#testing/draws.ts'
import { selectUserRatings, selectUserRecord } from './user.ts'
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
  const record = await selectUserRecord(archive.reader, userId, { at })
  const { closeness: _, ...own } = record ?? { closeness: null }
  expect(record && own).toEqual(recordOf(rows, userId, at))
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
      for (const column of ['bias', 'agreement', 'recent'] as const) {
        const sort = { column, direction: 'desc' as const }
        const query = { q: '', sort, asof: null, page: 1, per_page: 500 }
        await holdUsers({ archive, rows }, { query, userId, at })
      }
    }
    await archive.close()
  },
  60_000,
)

test('a week of activity holds its last second and not the one before its first', async () => {
  const archive = await openMemory()
  const at = START + 400 * DAY
  const year = 52 * 7 * DAY
  const posted = [at, at - 7 * DAY + 1, at - 7 * DAY, at - year + 1, at - year, at + 1]
  await importRows(
    archive,
    posted.map((created_at, index) => makeRating({ id: index + 1, created_at })),
  )
  const query = { q: '', sort: { column: 'ratings', direction: 'desc' }, asof: null } as const
  const { rows } = await selectUsers(archive.reader, { ...query, page: 1, per_page: 50 }, { at })
  expect(rows[0]?.activity).toEqual([1, ...Array(49).fill(0), 1, 2])
  await archive.close()
})

test('agreement is sorted by the bound that is shown', async () => {
  const archive = await openMemory()
  const votes = fc.sample(fc.tuple(fc.nat(4000), fc.nat(4000)), { numRuns: 250, seed: 7 })
  const special = [0, 1, 2, 5, 2401].flatMap((n) => [
    [n, 0],
    [0, n],
    [n, n],
  ])
  const all = [...votes, ...special].map(([agree = 0, disagree = 0], index) => {
    const given = makeRating({ id: index + 1, user_id: index + 1, tally_agree: agree })
    return { ...given, rating: { ...given.rating, tally_disagree: disagree } }
  })
  await importRows(archive, all)
  const sort = { column: 'agreement', direction: 'desc' } as const
  const query = { q: '', sort, asof: null, page: 1, per_page: 500 }
  const { rows } = await selectUsers(archive.reader, query, { at: START + 1e6 })
  const bounds = rows.map((row) => (row.agreement_low === null ? -1 : Number(row.agreement_low)))
  expect(bounds).toEqual([...bounds].sort((a, b) => b - a))
  const ties = rows.filter((row, index) => row.agreement_low === rows[index - 1]?.agreement_low)
  for (const row of ties) {
    const before = rows[rows.indexOf(row) - 1]
    expect(row.user_id).toBeGreaterThan(before?.user_id ?? 0)
  }
  await archive.close()
})

test('the shown bound is Wilson’s, to the last place', () => {
  const anElection = fc.tuple(fc.nat(3000), fc.nat(3000))
  const property = fc.property(anElection, ([agree, disagree]) => {
    const low = wilsonLow(agree, agree + disagree)
    const shown = toWilsonLow(agree, agree + disagree)
    expect(shown).toBe(low === null ? null : (Number(low) / 10_000).toFixed(4))
  })
  fc.assert(property, { numRuns: draws(60) })
})
