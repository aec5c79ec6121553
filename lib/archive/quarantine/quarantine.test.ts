import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Archive, ImportSource } from '#lib/archive/archive.ts'
import { QUARANTINE_CHARACTERS, QUARANTINE_ROWS } from '#lib/archive/import/quarantine.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { openListExport, selectFacets, selectListPage } from '#lib/archive/lists/select-list.ts'
import type { ListQuery } from '#lib/contract/lists/define-list.ts'
import { quarantineList } from '#lib/contract/lists/quarantine.ts'
import { toDefaults } from '#lib/contract/query-schema.ts'
import type { RejectedRow } from '#lib/contract/rating.ts'
import { only } from '#lib/contract/value-list.ts'
import { START } from '#testing/archive/arbitrary.ts'
import { quarantineRows } from './quarantine.ts'

let archive: Archive
const clock = { now: START }
beforeEach(async () => {
  clock.now = START
  archive = await openArchive({ path: ':memory:', now: () => clock.now })
})
afterEach(async () => await archive.close())

const DUMP: ImportSource = { kind: 'dump', name: '2024-01-07' }

async function reject(rows: readonly RejectedRow[], source = DUMP) {
  clock.now += 60
  return await archive.import(source, async (run) => {
    for (let from = 0; from < rows.length; from += 20_000) {
      await run.append([], rows.slice(from, from + 20_000))
    }
    return { completeTo: null }
  })
}

const many = (count: number, raw: (place: number) => string, reason = 'rating: too small') =>
  Array.from({ length: count }, (_, place) => ({ reason, raw: raw(place) }))

const COLUMNS = ['at', 'source', 'reason', 'raw']

const openFile = async () =>
  await openListExport(archive.reader, quarantineList, quarantineRows(EVERY), {})

async function readDownload() {
  const file = await openFile()
  const lines: string[] = []
  for await (const batch of file.lines('json', COLUMNS)) lines.push(...batch)
  await file.close()
  return { rows: file.rows, lines }
}

const EVERY = toDefaults(quarantineList.query)

async function select(query: Partial<ListQuery<typeof quarantineList>> = {}) {
  const rows = quarantineRows({ ...EVERY, ...query })
  const page = await selectListPage(archive.reader, rows, {})
  const { reason, distinct } = await selectFacets(archive.reader, rows, {})
  return { ...page, reasons: reason, distinct: distinct.reasons }
}

test('a page has the newest rows first, each with its reason, text, time and source', async () => {
  await reject([{ reason: 'id: missing', raw: '{}' }])
  await reject(
    many(3, (place) => `["${place}"]`, '1 cells under 15 columns'),
    {
      kind: 'pages',
      name: 'newest',
    },
  )
  const { rows, total, reasons } = await select()
  expect(total).toBe(4)
  expect(rows.map(({ at, source }) => [at, source])).toEqual([
    ...Array.from({ length: 3 }, () => [START + 120, 'newest']),
    [START + 60, '2024-01-07'],
  ])
  expect(rows[3]).toMatchObject({ reason: 'id: missing', raw: '{}' })
  expect(reasons).toEqual([
    { value: '1 cells under 15 columns', count: 3 },
    { value: 'id: missing', count: 1 },
  ])
})

test('a row of a dump is kept with the first line that it was on, and once however it moves', async () => {
  const row = { reason: 'id: missing', raw: '{}' }
  await reject([
    { ...row, line: 12 },
    { ...row, line: 7 },
  ])
  await reject([{ ...row, line: 9 }])
  const { rows } = await select()
  expect(rows.map(({ source }) => source)).toEqual(['2024-01-07, line 7'])
})

test('one reason is picked out, paged, and all reasons are counted all the same', async () => {
  await reject([...many(5, (place) => `{"id":${place}}`), { reason: 'id: missing', raw: '{}' }])
  const query = { reason: only('rating: too small'), page: 2, per_page: 2 }
  const { rows, total, reasons } = await select(query)
  expect([rows.length, total]).toEqual([2, 5])
  expect(new Set(rows.map(({ reason }) => reason))).toEqual(new Set(['rating: too small']))
  expect(reasons.map(({ count }) => count)).toEqual([5, 1])
  const seen = new Set<string>()
  for (const page of [1, 2, 3]) {
    const part = await select({ ...query, page })
    for (const { raw } of part.rows) seen.add(raw)
  }
  expect(seen.size).toBe(5)
  expect(await select({ ...query, page: 99 })).toMatchObject({
    rows: [],
    total: 5,
  })
  expect(await select({ ...query, reason: only('none') })).toMatchObject({
    rows: [],
    total: 0,
  })
})

test('all reasons are counted, and the most frequent ones are named', async () => {
  const rows = Array.from({ length: 150 }, (_, place) => ({ reason: `${place} cells`, raw: '' }))
  await reject([...rows, { reason: '149 cells', raw: 'again' }])
  const { reasons, distinct } = await select()
  expect([reasons.length, distinct]).toEqual([20, 150])
  expect(reasons[0]).toEqual({ value: '149 cells', count: 2 })
})

test('the download holds every row as one line of JSON, whatever its text holds', async () => {
  const odd = ['line\nbreak', '"quoted"', '\u0000\u2028', '=1+1', '日経']
  await reject(odd.map((raw) => ({ reason: 'row: not an object', raw })))
  await reject(many(2500, (place) => `{"id":${place}}`))
  const { rows, lines } = await readDownload()
  expect([rows, lines.length]).toEqual([2505, 2505])
  expect(lines.every((line) => !line.includes('\n'))).toBe(true)
  const read = lines.map((line) => JSON.parse(line))
  expect(new Set(read.map(({ raw }) => raw)).size).toBe(2505)
  expect(
    read
      .slice(-5)
      .map(({ raw }) => raw)
      .sort(),
  ).toEqual([...odd].sort())
  expect(Object.keys(read[0])).toEqual(['at', 'source', 'reason', 'raw'])
})

test('a download goes on unchanged while rows come', async () => {
  await reject(many(1500, (place) => `{"id":${place}}`))
  const file = await openFile()
  await reject(many(10, (place) => `later ${place}`))
  let lines = 0
  for await (const batch of file.lines('json', COLUMNS)) lines += batch.length
  await file.close()
  expect([file.rows, lines]).toEqual([1500, 1500])
  expect(archive.state().quarantined).toBe(1510)
})

test('beyond what is kept the oldest rows go, and are counted on', async () => {
  await reject(many(10, (place) => `oldest ${place}`))
  await reject(many(QUARANTINE_ROWS, (place) => `{"id":${place}}`))
  const { total, reasons } = await select()
  expect([total, reasons.length]).toEqual([QUARANTINE_ROWS, 1])
  expect(archive.state().quarantined).toBe(QUARANTINE_ROWS + 10)
  const { rows } = await select({ page: QUARANTINE_ROWS / 50 })
  expect(rows.some(({ raw }) => raw.startsWith('oldest'))).toBe(false)
}, 60_000)

test('a run of nothing but rubbish is staged no further than is kept, and counted to its end once, however often it comes', async () => {
  const outcome = await reject(many(QUARANTINE_ROWS + 500, (place) => `{"id":${place}}`))
  expect(outcome.quarantined).toBe(QUARANTINE_ROWS + 500)
  expect(archive.state().quarantined).toBe(QUARANTINE_ROWS + 500)
  expect((await select()).total).toBe(QUARANTINE_ROWS)
  const again = await reject(many(QUARANTINE_ROWS + 502, (place) => `{"id":${place}}`))
  expect(again.quarantined).toBe(2)
  expect(archive.state().quarantined).toBe(QUARANTINE_ROWS + 502)
}, 60_000)

test('long rows are kept by their length, so that a disk has room for all of them', async () => {
  const length = 64 * 1024
  const fitting = Math.floor(QUARANTINE_CHARACTERS / (length + 1))
  const long = (name: string) => (place: number) => `${name}${place} `.padEnd(length, '.')
  await reject(many(fitting - 3, long('old'), 'x'))
  await reject(many(6, long('new'), 'x'))
  const { total, rows } = await select({ per_page: 6 })
  expect(total).toBe(fitting)
  expect(rows.every(({ raw }) => raw.startsWith('new'))).toBe(true)
  expect(archive.state().quarantined).toBe(fitting + 3)
}, 60_000)

test('an empty quarantine is a page and a file without rows', async () => {
  expect(await select()).toEqual({ rows: [], total: 0, reasons: [], distinct: 0 })
  const file = await openFile()
  expect(file.rows).toBe(0)
  await file.close()
})
