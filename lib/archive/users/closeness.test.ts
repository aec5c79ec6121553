import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { migrate } from '#lib/archive/engine/migrations.ts'
import { createKeptValues } from '#lib/archive/query/kept-rows.ts'
import type { ComparedQuery } from '#lib/contract/lists/users.ts'
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

import { draws, expectReach } from '#testing/draws.ts'
import { type ClosenessReader, selectCloseness, selectCompared, selectPeers } from './closeness.ts'
import { selectUserRecord } from './user.ts'
import { selectUsers } from './users.ts'

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

function totalsOf(rows: readonly OracleRow[], at: number) {
  const day = Math.floor(at / DAY) * DAY
  return new Map(
    [...new Set(rows.map((row) => row.user_id))].map((id) => {
      const distances = distancesOf(rows, id, day)
      return [id, { n: distances.length, sum: distances.reduce((one, two) => one + two, 0n) }]
    }),
  )
}

function comparedWith(all: ReturnType<typeof totalsOf>, userId: number) {
  const own = all.get(userId) ?? { n: 0, sum: 0n }
  const others = own.n < 4 ? [] : [...all].filter(([id, { n }]) => id !== userId && n >= 4)
  const ratioOf = (n: number) => Math.round((1e9 * Math.max(n, own.n)) / Math.min(n, own.n))
  const within = (most: number) => others.filter(([, { n }]) => ratioOf(n) <= most)
  const steps = others.map(([, { n }]) => ratioOf(n)).filter((ratio) => ratio > 2e9)
  steps.sort((a, b) => a - b)
  let peers = within(2e9)
  for (const step of steps) if (peers.length < 30) peers = within(step)
  const toIds = (some: typeof others) => some.map(([id]) => id).sort((a, b) => a - b)
  return {
    own,
    numbers: peers.map(([, { n }]) => n),
    peers: toIds(peers),
    farther: toIds(others.filter(([, { n, sum }]) => sum * BigInt(own.n) > own.sum * BigInt(n))),
  }
}

function closenessOf(all: ReturnType<typeof totalsOf>, userId: number) {
  const { own, numbers, peers, farther } = comparedWith(all, userId)
  if (own.n < 4) return { n: own.n, band: null }
  const both = peers.filter((id) => farther.includes(id))
  const [from, to] =
    peers.length === 0 ? [own.n, own.n] : [Math.min(...numbers), Math.max(...numbers)]
  return { n: own.n, band: { from, to, users: peers.length, farther: both.length } }
}

const BY_NUMBER = { column: 'user_id', direction: 'asc' } as const
const EVERYBODY = { q: '', sort: BY_NUMBER, asof: null, page: 1, per_page: 500 }

test('how near a user is to the later consensus, nearer than whom, and who they are, is what plain counting gives', async () => {
  const effort = { communities: 20, questions: 2, of: aCommunityOrCrowd }
  const someDays = fc.integer({ min: 0, max: 45 })
  await holdAgainstCounting(someDays, effort, async ({ archive, rows, asked: days, at: drawn }) => {
    const at = drawn + days * DAY
    const all = totalsOf(rows, at)
    const asked = new Set<boolean>()
    const find = async (by: ComparedQuery) => {
      const page = await selectUsers(archive.reader, { ...EVERYBODY, ...by }, { at })
      expect(page.total).toBe(page.rows.length)
      return page.rows.map(({ user_id }) => user_id)
    }
    const users = new Set(rows.filter((row) => row.created_at <= at).map((row) => row.user_id))
    for (const id of [...users].filter((_, place) => place % 2 === days % 2)) {
      const record = await selectUserRecord(archive.reader, id, { at })
      expect(record?.closeness).toMatchObject(closenessOf(all, id))
      const old = rows.filter(
        (row) => row.user_id === id && row.created_at <= at - (at % DAY) - 30 * DAY,
      )
      expect(record?.closeness.old).toBe(old.length)
      const { peers, farther } = comparedWith(all, id)
      if (asked.has(peers.length > 0)) continue
      asked.add(peers.length > 0)
      expect(await find({ peers_of: id })).toEqual(peers)
      expect(await find({ farther_than: id })).toEqual(farther)
      const both = await find({ peers_of: id, farther_than: id })
      expect(both).toEqual(peers.filter((one) => farther.includes(one)))
      expect(both).toHaveLength(record?.closeness.band?.farther ?? 0)
    }
  })
})

const aNumber = fc
  .tuple(fc.integer({ min: 0, max: 11 }), fc.integer({ min: 0, max: 1023 }))
  .map(([size, more]) => 2 ** size + (more % 2 ** size))

test('the users that one is compared with are those of a similar number, or the nearest thirty', () => {
  let [wide, few] = [0, 0]
  fc.assert(
    fc.property(fc.array(aNumber, { minLength: 1, maxLength: 120, size: 'max' }), (numbers) => {
      const all = new Map(numbers.map((n, id) => [id, { old: n, n, nanos: BigInt(id) }]))
      const totals = new Map(numbers.map((n, id) => [id, { n, sum: BigInt(id) }]))
      const [own = 0] = numbers
      const found = selectPeers(all, 0)?.peers.map(([id]) => id) ?? []
      expect(found).toEqual(comparedWith(totals, 0).peers)
      if (own < 4) return
      const judged = numbers.flatMap((n, id) => (id !== 0 && n >= 4 ? [id] : []))
      const left = judged.filter((id) => !found.includes(id))
      if (left.length > 0) expect(found.length).toBeGreaterThanOrEqual(30)
      const similar = judged.filter((id) => isBetween(numbers[id] ?? 0, own / 2, own * 2))
      expect(found).toEqual(expect.arrayContaining(similar))
      wide += left.length > 0 && similar.length < 30 ? 1 : 0
      few += judged.length < 30 ? 1 : 0
    }),
    { numRuns: draws(1000) },
  )
  expectReach(Math.min(wide, few), 20)
})

const isBetween = (n: number, least: number, most: number) => n >= least && n <= most

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
        expired_at: user < 3 ? null : START + DAY,
      }),
    ),
  )
  await importRows(archive, rows)
  return archive
}

test('a user is compared with those of a similar number of ratings, and ties are not nearer', async () => {
  const archive = await openCrowd([1, 1, 2])
  const at = START + 31 * DAY
  const of = async (id: number) => (await selectUserRecord(archive.reader, id, { at }))?.closeness
  expect(await of(103)).toEqual({
    old: 4,
    n: 4,
    mean: '1.0000',
    band: { from: 4, to: 4, users: 2, farther: 1 },
  })
  expect((await of(105))?.band).toMatchObject({ users: 2, farther: 0 })
  expect(await of(100)).toEqual({ old: 4, n: 0, mean: null, band: null })
  expect((await selectUserRecord(archive.reader, 103, { at: START + 29 * DAY }))?.closeness.n).toBe(
    0,
  )
  await archive.close()
})

test('users are compared by one look at every rating, however many ask at once, until the archive has changed', async () => {
  const engine = await openEngine({ path: ':memory:', memoryLimit: '64MB', threads: 1 })
  await migrate(engine.writer.db)
  let looks = 0
  let generation = 1
  const counted: ClosenessReader = {
    read: async (work, signal) => {
      looks += 1
      return await engine.read(work, signal)
    },
    openSnapshot: async (signal) => {
      looks += 1
      return await engine.openSnapshot(signal)
    },
    version: () => `${generation}`,
    keptValues: createKeptValues(),
  }
  const at = START + 31 * DAY
  const askAll = async () =>
    await Promise.all([
      ...[1, 2, 3].map(async (id) => await selectCloseness(counted, id, { at: at + id })),
      selectCompared(counted, { peers_of: 1 }, { at }),
    ])
  await askAll()
  expect(looks).toBe(2)
  await askAll()
  expect(looks).toBe(2)
  generation += 1
  await askAll()
  expect(looks).toBe(3)
  expect(await selectCompared(counted, {}, { at: at + DAY })).toBeNull()
  expect(looks).toBe(3)
  await engine.close()
})

test('a look that failed is taken again', async () => {
  let looks = 0
  const failing: ClosenessReader = {
    read: async () => {
      looks += 1
      throw new Error('interrupted')
    },
    openSnapshot: async () => {
      throw new Error('not reached')
    },
    version: () => '1',
    keptValues: createKeptValues(),
  }
  const ask = async () => await selectCloseness(failing, 1, { at: START })
  await expect(ask()).rejects.toThrow('interrupted')
  await expect(ask()).rejects.toThrow('interrupted')
  expect(looks).toBe(2)
})

test('what is kept of a day is worked out anew where its ratings changed, and not before', async () => {
  const archive = await openCrowd([1, 2])
  const at = START + 31 * DAY
  const band = async () => (await selectUserRecord(archive.reader, 103, { at }))?.closeness.band
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
