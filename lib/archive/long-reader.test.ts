import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROW_COLUMNS } from '#lib/contract/export-choice.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { importRows, makeRating, START } from './arbitrary.test-support.ts'
import { openArchive } from './open-archive.ts'

const ROWS = 3000
const COMMITS = 5

const toRows = (tally: number) =>
  Array.from({ length: ROWS }, (_, index) => makeRating({ id: index + 1, tally_agree: tally }))

test('a slow reader gets his moment to its end, holds up no commit, and leaves nothing in the log', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'long-reader-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const path = join(dir, 'archive.duckdb')
  const archive = await openArchive({ path, now: () => START + 1000, threads: 1 })
  await importRows(archive, toRows(0))
  const reader = await archive.openExport(EVERY_RATING, { at: START + 1000 })
  const lines = reader.lines('json', ROW_COLUMNS)
  const first = await lines.next()
  for (let count = 1; count <= COMMITS; count += 1) {
    await importRows(archive, toRows(count).slice(0, 500))
  }
  const byId = { ...EVERY_RATING, sort: { column: 'id', direction: 'asc' } as const }
  const [row] = (await archive.selectRatings(byId, { at: START + 1000 })).rows
  expect(row).toMatchObject({ id: 1, tally_agree: COMMITS })
  const read = [...(first.value ?? [])]
  for await (const batch of lines) read.push(...batch)
  await reader.close()
  const tallies = new Set(read.map((line) => JSON.parse(line).tally_agree))
  expect([read.length, [...tallies]]).toEqual([ROWS, [0]])
  await archive.close()
  expect(await sizeOf(`${path}.wal`)).toBe(0)
})

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
