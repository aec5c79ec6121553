import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import Papa from 'papaparse'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import {
  noFacets,
  openListExport,
  selectFacets,
  selectListPage,
} from '#lib/archive/lists/select-list.ts'
import { lookupRows } from '#lib/archive/lookups/select-lookups.ts'
import type { ArchiveReader } from '#lib/archive/reader.ts'
import { EVERY_LOOKUP, type LookupsQuery, lookupList } from '#lib/contract/lists/lookups.ts'
import type { KeptEdition, LogFields } from '#lib/sync/sync.ts'
import {
  aLookupsQuery,
  countBins,
  countNaively,
  type DumpRecord,
  EDITION,
  KNOWN_TO,
  passes,
  readNaively,
  someRecords,
  sortNaively,
} from '#testing/archive/lookups-oracle.ts'
import { draws } from '#testing/draws.ts'
import { keepLookups } from './keep-lookups.ts'

const HEADER = ['id', 'symbol', 'source', 'room_id', 'created_at']
const NOW = KNOWN_TO + 3 * 86_400

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-lookups-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

type CurrentEdition = { current: KeptEdition | null; at: number }

async function keep(folder: string) {
  const held: CurrentEdition = { current: null, at: NOW }
  const logged: string[] = []
  const archive = await openArchive({
    path: join(folder, 'archive.duckdb'),
    now: () => held.at,
    threads: 1,
  })
  const events: string[] = []
  const kept = keepLookups({
    lookups: archive.lookups,
    editions: { current: () => held.current },
    eventLog: { append: ({ message }) => void events.push(message) },
    now: () => held.at,
    every: () => () => {},
    log: (message: string, _fields?: LogFields) => void logged.push(message),
  })
  const close = async () => {
    await kept.close()
    await archive.close()
  }
  return { held, archive, kept, events, logged, close }
}

async function open() {
  const opened = await keep(await makeFolder())
  onTestFinished(opened.close)
  return opened
}

let written = 0

type CsvVariant = { header?: readonly string[]; edition?: string; quotes?: boolean }

async function toEdition(
  folder: string,
  records: readonly DumpRecord[],
  { header = HEADER, edition = EDITION, quotes = false }: CsvVariant = {},
): Promise<KeptEdition> {
  written += 1
  const path = join(folder, `${written}.csv`)
  const cells = records.map((record) =>
    header.map((name) => Object.entries(record).find(([own]) => own === name)?.[1] ?? 'x'),
  )
  await writeFile(path, `${Papa.unparse([[...header], ...cells], { newline: '\n', quotes })}\n`)
  return {
    kind: 'lookups',
    edition,
    path,
    fileName: `${written}.csv`,
    sha256: `hash ${written}`,
    rows: records.length,
    bytes: 1,
    fetched_at: NOW,
    next_due_at: NOW,
    firstRows: [],
    columns: header.map((name) => ({ name, type: 'text' as const })),
    validators: { etag: null, lastModified: null },
    unchanged: false,
    newestCreatedAt: null,
    ids: null,
    confirms: false,
    reason: null,
  }
}

const aRecord = (changed: Partial<DumpRecord> = {}): DumpRecord => ({
  symbol: 'AAPL',
  created_at: String(KNOWN_TO - 10),
  source: 'slack',
  room_id: '1',
  id: '',
  ...changed,
})

const selectAll = async (archive: Archive) =>
  (await selectLookups(archive.reader, { ...EVERY_LOOKUP, per_page: 500 })).rows

async function selectLookups(reader: ArchiveReader, query: LookupsQuery) {
  const rows = lookupRows(reader, query)
  return rows ? await selectListPage(reader, rows, {}) : { rows: [], total: 0 }
}

async function selectLookupFacets(reader: ArchiveReader, query: LookupsQuery) {
  const rows = lookupRows(reader, query)
  return rows ? await selectFacets(reader, rows, {}) : noFacets(lookupList)
}

describe('the look-ups of an edition', () => {
  test('are those rows that are look-ups, whoever reads the file, and every question to them is answered as by counting', async () => {
    const folder = await makeFolder()
    const { held, archive, kept, close } = await keep(folder)
    onTestFinished(close)
    await fc.assert(
      fc.asyncProperty(someRecords, aLookupsQuery, fc.boolean(), async (records, query, quotes) => {
        held.current = await toEdition(folder, records, { quotes })
        await kept.poll()
        const all = readNaively(records)
        const { state, ...report } = kept.report()
        expect(state).toBe('imported')
        expect(report).toMatchObject({ lookups: all.length, problem: null })
        expect(report.set_aside).toBe(records.length - all.length)

        const found = sortNaively(
          all.filter((row) => passes(row, query)),
          query,
        )
        const page = await selectLookups(archive.reader, query)
        const first = (query.page - 1) * query.per_page
        expect(page.total).toBe(found.length)
        const byText = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()
        const everything = await selectLookups(archive.reader, { ...query, page: 1, per_page: 500 })
        expect(byText(everything.rows)).toEqual(byText(found))
        const keys = (rows: typeof found) =>
          rows.map((row) => [row[query.sort.column], row.created_at, row.id])
        expect(keys(page.rows)).toEqual(keys(found.slice(first, first + query.per_page)))

        const facets = await selectLookupFacets(archive.reader, query)
        for (const name of ['symbol', 'source', 'room'] as const) {
          const counted = countNaively(all, query, name)
          expect(facets[name]).toEqual(counted.shown)
          expect(facets.distinct[`${name}s`]).toBe(counted.distinct)
        }
        expect(facets.created.map(({ count }) => count)).toEqual(
          countBins(all, query, facets.created),
        )
      }),
      { numRuns: draws(40) },
    )
  }, 120_000)

  test('as of an instant are what an edition holds that ends at it', async () => {
    const folder = await makeFolder()
    const { held, archive, kept, close } = await keep(folder)
    onTestFinished(close)
    await fc.assert(
      fc.asyncProperty(someRecords, aLookupsQuery, async (records, query) => {
        const asof = query.asof ?? KNOWN_TO - 86_400
        const ask = async (now: LookupsQuery) =>
          await selectLookups(archive.reader, { ...now, per_page: 500, page: 1 })
        held.current = await toEdition(folder, records)
        await kept.poll()
        const past = await ask({ ...query, asof })
        const until = readNaively(records)
          .filter(({ created_at: created }) => created <= asof)
          .map(({ created_at: created, symbol, source, room_id: room, id }) => ({
            symbol,
            source: source ?? '',
            room_id: room ?? '',
            id: String(id ?? ''),
            created_at: String(created),
          }))
        held.current = await toEdition(folder, until)
        await kept.poll()
        const then = await ask({ ...query, asof: null })
        expect(past.total).toBe(then.total)
        const texts = ({ rows }: typeof past) => rows.map((row) => JSON.stringify(row)).sort()
        expect(texts(past)).toEqual(texts(then))
      }),
      { numRuns: draws(20) },
    )
  }, 120_000)

  test('are there again when the archive is opened again, without another import', async () => {
    const folder = await makeFolder()
    const first = await keep(folder)
    first.held.current = await toEdition(folder, [aRecord(), aRecord({ symbol: '' })])
    await first.kept.poll()
    const rows = await selectAll(first.archive)
    await first.close()
    const second = await keep(folder)
    onTestFinished(second.close)
    second.held.current = first.held.current
    await second.kept.poll()
    expect(await selectAll(second.archive)).toEqual(rows)
    expect(second.kept.report()).toMatchObject({
      state: 'imported',
      lookups: 1,
      known_to: KNOWN_TO,
      set_aside: 1,
      reasons: [{ reason: 'has no symbol', rows: 1 }],
    })
    expect(second.logged).toEqual([])
  })

  test('are imported again when an earlier version stored them under other keys', async () => {
    const folder = await makeFolder()
    const first = await keep(folder)
    first.held.current = await toEdition(folder, [
      aRecord({ symbol: 'Straße' }),
      aRecord({ symbol: 'chambe\u0301ry', created_at: String(KNOWN_TO - 20) }),
    ])
    await first.kept.poll()
    await first.close()
    const path = join(folder, 'archive.duckdb.lookups')
    const engine = await openEngine({ path, memoryLimit: '64MB', threads: 1 })
    await sql`update symbol set symbol = 'STRAßE' where symbol = 'STRASSE'`.execute(
      engine.writer.db,
    )
    await engine.close()
    const second = await keep(folder)
    onTestFinished(second.close)
    expect(second.kept.report()).toMatchObject({ state: 'none', lookups: 0 })
    second.held.current = first.held.current
    await second.kept.poll()
    expect((await selectAll(second.archive)).map(({ symbol }) => symbol)).toEqual([
      'STRASSE',
      'CHAMBÉRY',
    ])
  })

  test('that lack a required column are not read: the previous ones stay, and the reason is reported', async () => {
    const folder = await makeFolder()
    const { held, archive, kept, close } = await keep(folder)
    onTestFinished(close)
    held.current = await toEdition(folder, [aRecord()])
    await kept.poll()
    held.current = await toEdition(folder, [aRecord()], { header: ['ticker', 'when'] })
    await kept.poll()
    expect(kept.report()).toMatchObject({
      state: 'unreadable',
      lookups: 1,
      edition: EDITION,
      problem: 'has no column “symbol” and none “created_at”',
    })
    expect(await selectAll(archive)).toHaveLength(1)
  })

  test('with the two needed columns alone are look-ups without source, room and id', async () => {
    const folder = await makeFolder()
    const { held, archive, kept, close } = await keep(folder)
    onTestFinished(close)
    held.current = await toEdition(folder, [aRecord()], { header: ['created_at', 'symbol'] })
    await kept.poll()
    expect(await selectAll(archive)).toEqual([
      { id: null, symbol: 'AAPL', source: null, room_id: null, created_at: KNOWN_TO - 10 },
    ])
  })

  test('are taken whole or not at all: a file that is gone, or cut inside quotes, leaves those before, and is tried again', async () => {
    const folder = await makeFolder()
    const { held, archive, kept, close } = await keep(folder)
    onTestFinished(close)
    held.current = await toEdition(folder, [aRecord()])
    await kept.poll()
    const next = await toEdition(folder, [aRecord(), aRecord({ symbol: 'MSFT' })])
    await rm(next.path)
    held.current = next
    await kept.poll()
    expect(kept.report()).toMatchObject({ state: 'failed', lookups: 1 })
    await writeFile(next.path, 'symbol,created_at\nAAPL,5\nAAPL,"5')
    held.at += 301
    await kept.poll()
    expect(kept.report().problem).toContain('never closes it')
    expect(await selectAll(archive)).toHaveLength(1)
    await writeFile(next.path, 'symbol,created_at\nAAPL,5\nMSFT,6\n')
    held.at += 301
    await kept.poll()
    expect(kept.report()).toMatchObject({ state: 'imported', problem: null, lookups: 2 })
  })

  test('have their rejects with the line of the file, whatever empty lines and line breaks come before', async () => {
    const folder = await makeFolder()
    const { held, kept, close } = await keep(folder)
    onTestFinished(close)
    const put = async (text: string, rows: number) => {
      const edition = await toEdition(folder, [])
      await writeFile(edition.path, text)
      held.current = { ...edition, rows }
      await kept.poll()
      return kept.report()
    }
    const header = HEADER.join(',')
    expect(await put(`${header}\n1,AAPL,slack,1,5\n2,,slack,1,5\n`, 2)).toMatchObject({
      lookups: 1,
      examples: [{ line: 3, reason: 'has no symbol', raw: ',5,slack,1,2' }],
    })
    const odd = [
      '# exported',
      header,
      '',
      '1,AAPL,"a',
      'b",1,5',
      '2,,slack,1,5',
      '3,AAPL,slack,1,002,5',
      '4,"AA"PL,slack,1,5',
      '5,AAPL,slack,1,soon',
      '6,MSFT,slack,1,6.0',
      '7,MS\0FT,slack,1,7',
    ]
    const report = await put(`${odd.join('\r\n')}\r\n`, 7)
    expect(report).toMatchObject({ lookups: 2, set_aside: 5 })
    expect(report.examples.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '6 has no symbol',
      '7 has 6 cells under 5 columns',
      '8 has text after a closing quote',
      '9 has a created_at that is no whole second',
      '11 has a symbol that holds a null',
    ])
  })

  test('that are fewer than before are followed, and that is told', async () => {
    const folder = await makeFolder()
    const { held, kept, events, close } = await keep(folder)
    onTestFinished(close)
    held.current = await toEdition(folder, [aRecord(), aRecord()])
    await kept.poll()
    held.current = await toEdition(folder, [aRecord()])
    await kept.poll()
    expect(kept.report()).toMatchObject({ lookups: 1, before: 2 })
    expect(events.at(-1)).toContain('imported: 1, fewer than the previous 2')
  })

  test('make no file before there are any, and every question is answered with nothing', async () => {
    const { archive, kept } = await open()
    await kept.poll()
    expect(kept.report()).toMatchObject({ state: 'none', known_to: null })
    expect(await selectLookups(archive.reader, EVERY_LOOKUP)).toEqual({ rows: [], total: 0 })
    const file = await openListExport(
      archive.reader,
      lookupList,
      lookupRows(archive.reader, EVERY_LOOKUP),
      {},
    )
    expect(file.rows).toBe(0)
    await file.close()
  })
})
