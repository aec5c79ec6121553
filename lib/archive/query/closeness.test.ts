import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import {
  aCommunityOrCrowd,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { isActive, keyOf, type OracleRow } from '#testing/archive/oracle.ts'

const DAY = 86_400

/** How far each of a user's ratings was from the others 30 days later, in billionths; each rating looked at by itself. */
function distancesOf(rows: readonly OracleRow[], userId: number, day: number): bigint[] {
  const own = rows.filter((row) => row.user_id === userId && row.created_at <= day - 30 * DAY)
  return own.flatMap((row) => {
    const later = row.created_at + 30 * DAY
    const others = rows.filter(
      (other) => other.user_id !== userId && keyOf(other) === keyOf(row) && isActive(other, later),
    )
    if (others.length < 3) return []
    const n = BigInt(others.length)
    const sum = others.reduce((all, { rating }) => all + BigInt(rating), 0n)
    const apart = BigInt(row.rating) * n - sum
    const size = apart < 0n ? -apart : apart
    return [(2_000_000_000n * size + n) / (2n * n)]
  })
}

function closenessOf(rows: readonly OracleRow[], userId: number, at: number) {
  const day = Math.floor(at / DAY) * DAY
  const all = new Map(
    [...new Set(rows.map((row) => row.user_id))].map((id) => {
      const distances = distancesOf(rows, id, day)
      return [id, { n: distances.length, sum: distances.reduce((one, two) => one + two, 0n) }]
    }),
  )
  const own = all.get(userId) ?? { n: 0, sum: 0n }
  if (own.n < 4) return { n: own.n, band: null }
  const from = [4, 8, 16, 32, 64].findLast((least) => least <= own.n) ?? 0
  const others = [...all].filter(([id, { n }]) => id !== userId && n >= from && n < 2 * from)
  const farther = others.filter(([, { n, sum }]) => sum * BigInt(own.n) > own.sum * BigInt(n))
  const band = { from, to: 2 * from - 1, users: others.length, farther: farther.length }
  return { n: own.n, band }
}

test('how near a user is to the later consensus, and nearer than whom, is what plain counting gives', async () => {
  const effort = { communities: 20, questions: 2, of: aCommunityOrCrowd }
  const someDays = fc.integer({ min: 0, max: 45 })
  await holdAgainstCounting(someDays, effort, async ({ archive, rows, asked: days, at: drawn }) => {
    const at = drawn + days * DAY
    for (const id of new Set(
      rows.filter((row) => row.created_at <= at).map((row) => row.user_id),
    )) {
      const record = await archive.selectRecord(id, { at })
      expect(record?.closeness).toMatchObject(closenessOf(rows, id, at))
    }
  })
})

/** Three that say 3 of every symbol, and users who rate as many symbols, each so many steps away from them. */
async function openCrowd(steps: readonly number[], symbols = 4): Promise<Archive> {
  const archive = await openMemory()
  const users = [0, 0, 0, ...steps]
  const rows = users.flatMap((apart, user) =>
    Array.from({ length: symbols }, (_, index) =>
      makeRating({
        id: 1 + user * symbols + index,
        user_id: 100 + user,
        symbol: `S${index}`,
        rating: 3 + apart,
        created_at: START,
        // Nobody but the three is there to be compared with later.
        expired_at: user < 3 ? null : START + DAY,
      }),
    ),
  )
  await importRows(archive, rows)
  return archive
}

test('a user is compared with those of as many ratings, and ties are not nearer', async () => {
  const archive = await openCrowd([1, 1, 2])
  const at = START + 31 * DAY
  const of = async (id: number) => (await archive.selectRecord(id, { at }))?.closeness
  expect(await of(103)).toEqual({
    n: 4,
    mean: '1.0000',
    band: { from: 4, to: 7, users: 2, farther: 1 },
  })
  expect((await of(105))?.band).toMatchObject({ users: 2, farther: 0 })
  // Of the three only two others are there later.
  expect(await of(100)).toEqual({ n: 0, mean: null, band: null })
  expect((await archive.selectRecord(103, { at: START + 29 * DAY }))?.closeness.n).toBe(0)
  await archive.close()
})

test('what is kept of a day is worked out anew where its ratings changed, and not before', async () => {
  const archive = await openCrowd([1, 2])
  const at = START + 31 * DAY
  const band = async () => (await archive.selectRecord(103, { at }))?.closeness.band
  expect(await band()).toMatchObject({ users: 1, farther: 1 })
  await importRows(archive, [makeRating({ id: 900, user_id: 1, created_at: at + DAY })])
  expect(await band()).toMatchObject({ users: 1, farther: 1 })
  const late = Array.from({ length: 4 }, (_, index) =>
    makeRating({ id: 901 + index, user_id: 2, symbol: `S${index}`, rating: 5, created_at: START }),
  )
  await importRows(archive, late)
  expect(await band()).toMatchObject({ users: 5, farther: 5 })
  await archive.close()
})
