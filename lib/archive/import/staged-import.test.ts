import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Archive, ImportRun } from '#lib/archive/archive.ts'
import { selectQuarantine } from '#lib/archive/quarantine/quarantine.ts'
import { selectRatings } from '#lib/archive/ratings/ratings.ts'
import { QUALITIES } from '#lib/contract/quality.ts'
import type { IncomingRating } from '#lib/contract/rating.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import {
  aCommunity,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { deriveRows, endedOf, isActive, toFields } from '#testing/archive/oracle.ts'
import { streamRatings } from '#testing/archive/stream-ratings.ts'
import { draws } from '#testing/draws.ts'
import { toCanonicalJson } from './staged-import.ts'

async function readAll(archive: Archive) {
  const query = {
    ...EVERY_RATING,
    per_page: 500,
    sort: { column: 'id', direction: 'asc' },
  } as const
  const answers = await Promise.all(
    INSTANTS.map(async (at) => (await selectRatings(archive.reader, query, { at })).rows),
  )
  const under = await Promise.all(
    QUALITIES.map(async (name) => {
      const { rows } = await selectRatings(
        archive.reader,
        { ...query, quality: only(name) },
        { at: START },
      )
      return { name, ids: rows.map(({ id }) => id) }
    }),
  )
  return (answers[0] ?? []).map((row, index) => ({
    ...row,
    quality: under.filter(({ ids }) => ids.includes(row.id)).map(({ name }) => name),
    state: answers.map((rows) => rows[index]?.state === 'active'),
    ended: answers.map((rows) => rows[index]?.ended),
  }))
}

const INSTANTS = [START, START + 10 * 86_400, START + 20 * 86_400, START + 41 * 86_400]

const toSeen = (rows: readonly IncomingRating[]) =>
  deriveRows(rows)
    .sort((a, b) => a.id - b.id)
    .map((row) => {
      return {
        ...toFields(row),
        state: INSTANTS.map((at) => isActive(row, at)),
        ended: INSTANTS.map((at) => endedOf(row, at)),
      }
    })

const lastWins = (rows: readonly IncomingRating[]) =>
  new Map(rows.map((row) => [row.rating.id, toCanonicalJson(row)]))

const someRuns = fc.array(aCommunity, { minLength: 1, maxLength: 5 })

test('runs one after the other leave the union in which each id holds its last row', async () => {
  await fc.assert(
    fc.asyncProperty(someRuns, fc.constantFrom(0, 20, 1000), async (runs, rebuildAbove) => {
      const archive = await openMemory({ rebuildAbove })
      let before: IncomingRating[] = []
      for (const rows of runs) {
        const generation = archive.state().generation
        const outcome = await importRows(archive, rows)
        const [held, given] = [lastWins(before), lastWins(rows)]
        const ids = [...given.keys()]
        const inserted = ids.filter((id) => !held.has(id)).length
        const unchanged = ids.filter((id) => held.get(id) === given.get(id)).length
        const updated = ids.length - inserted - unchanged
        expect(outcome).toEqual({
          inserted,
          updated,
          unchanged,
          quarantined: 0,
          vanished: 0,
          returned: 0,
          generation: inserted + updated > 0 ? generation + 1 : generation,
        })
        before = [...before, ...rows]
        expect(archive.state().ratings).toBe(new Set(before.map((row) => row.rating.id)).size)
        expect(archive.state().generation).toBe(outcome.generation)
        expect(await readAll(archive)).toEqual(toSeen(before))
      }
      await archive.close()
    }),
    { numRuns: draws(12) },
  )
})

test('rows are invisible until their run commits, and never seen if it is aborted', async () => {
  const archive = await openMemory()
  const source = { kind: 'pages', name: 'newest' } as const
  const left: ImportRun[] = []
  const aborted = archive.import(source, async (run) => {
    left.push(run)
    await run.append([makeRating({ id: 1 })], [{ reason: 'no id', raw: '{}' }])
    expect((await selectRatings(archive.reader, EVERY_RATING, { at: START })).total).toBe(0)
    throw new Error('no more')
  })
  await expect(aborted).rejects.toThrow('no more')
  const late = left.map((run) => run.append([makeRating({ id: 1 })], []))
  await expect(Promise.all(late)).rejects.toThrow('ended')
  expect(archive.state()).toEqual({
    ratings: 0,
    generation: 0,
    version: '0.0.0.0',
    completeTo: null,
    quarantined: 0,
    vanished: 0,
    gaps: { ids: 0, unexplained: 0, listed: [] },
    newestCreatedAt: null,
    quietAfterSeconds: 90 * 86_400,
  })
  const next = await archive.import(source, async () => ({ completeTo: null }))
  expect(next).toMatchObject({ inserted: 0, quarantined: 0 })
  await archive.close()
})

test('the next run begins when the one before has ended', async () => {
  const archive = await openMemory()
  const steps: string[] = []
  const bring = async (id: number, completeTo: number) =>
    await archive.import({ kind: 'pages', name: `${id}` }, async (run) => {
      steps.push(`${id} begins`)
      await run.append([makeRating({ id })], [])
      steps.push(`${id} ends`)
      return { completeTo }
    })
  const [, second] = await Promise.all([bring(1, 7), bring(2, 5)])
  expect(steps).toEqual(['1 begins', '1 ends', '2 begins', '2 ends'])
  expect(second.generation).toBe(2)
  expect(archive.state()).toMatchObject({ ratings: 2, completeTo: 7 })
  await archive.close()
})

test('a commit that fails changes nothing, and the next run can begin', async () => {
  const archive = await openMemory()
  await importRows(archive, [makeRating({ id: 1 })])
  await expect(
    importRows(archive, [makeRating({ id: 2, prediction: 'no number' })]),
  ).rejects.toThrow()
  expect(archive.state()).toMatchObject({ ratings: 1, generation: 1 })
  expect(await importRows(archive, [makeRating({ id: 2 })])).toMatchObject({ inserted: 1 })
  await archive.close()
})

test('a rejected row is kept once, however often its source gives it', async () => {
  const archive = await openMemory()
  const rejected = { reason: 'id: not a number', raw: '{"id":"x"}' }
  for (const [name, quarantined] of [
    ['2024-01-07', 1],
    ['2024-01-14', 0],
  ] as const) {
    const outcome = await archive.import({ kind: 'dump', name }, async (run) => {
      await run.append([], [rejected, rejected])
      return { completeTo: null }
    })
    expect(outcome).toMatchObject({ quarantined, generation: 0 })
  }
  expect(archive.state().quarantined).toBe(1)
  expect(await selectQuarantine(archive.reader, 10)).toEqual([
    { ...rejected, at: START, source: '2024-01-07' },
  ])
  await archive.close()
})

test("a run larger than the engine's chunks keeps every row and every text as it came", async () => {
  const archive = await openMemory({ rebuildAbove: 2000 })
  const odd = ['a\u0000b', '😀'.repeat(32), ' x ', "'; drop table rating; --"]
  const rows = Array.from({ length: 5000 }, (_, id) =>
    makeRating({
      id: id + 2 ** 51,
      user_id: id,
      symbol: odd[id % 4] ?? '',
      prediction: '+007.10',
      created_at: START,
    }),
  )
  expect(await importRows(archive, rows)).toMatchObject({ inserted: 5000 })
  expect(await importRows(archive, rows)).toMatchObject({ unchanged: 5000 })
  const agreed = rows.map((row) => ({ ...row, rating: { ...row.rating, tally_agree: 5 } }))
  expect(await importRows(archive, agreed)).toMatchObject({ updated: 5000 })
  const seen = new Set<string>()
  for await (const batch of streamRatings(archive, EVERY_RATING, { at: START })) {
    for (const row of batch) seen.add(`${row.symbol} ${row.prediction}`)
  }
  expect(seen).toEqual(new Set(odd.map((symbol) => `${symbol} +007.10`)))
  await archive.close()
})
