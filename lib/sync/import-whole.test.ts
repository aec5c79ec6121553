import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { ImportSource } from '#lib/archive/archive.ts'
import { openEngine } from '#lib/archive/duckdb-engine.ts'
import { beginRun } from '#lib/archive/import-run.ts'
import { migrate } from '#lib/archive/migrations.ts'
import { verifyArchive } from '#lib/archive/verify.ts'
import { aDump, aPlainDump, type DumpText, START } from './csv-files.test-support.ts'
import { createCsvReader } from './csv-reader.ts'
import { importEdition } from './import-edition.ts'
import type { KeptEdition } from './sync.ts'

const dir = mkdtempSync(join(tmpdir(), 'bellwether-whole-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

type Side = { mayBeWhole: boolean; rebuildAbove: number }

/** An archive whose tables can be looked at; `taken` says of each import whether the database read the file itself. */
async function openSide({ mayBeWhole, rebuildAbove }: Side) {
  const engine = await openEngine({ path: ':memory:', memoryLimit: '256MB', threads: 2 })
  const { db } = engine.writer
  await migrate(db)
  const taken: boolean[] = []
  const state = { ratings: 0, generation: 0, completeTo: null, quarantined: 0, vanished: 0 }
  let known = { ...state, gaps: { ids: 0, unexplained: 0, listed: [] } }
  const beginImport = async (source: ImportSource) => {
    const run = await beginRun(engine.writer, {
      ...{ source, rebuildAbove, now: () => 7, state: () => known, onEnd: async () => undefined },
    })
    return {
      ...run,
      appendCsv: async (file: Parameters<typeof run.appendCsv>[0]) => {
        const isTaken = mayBeWhole && (await run.appendCsv(file))
        taken.push(isTaken)
        return isTaken
      },
    }
  }
  const bringIn = async (dump: DumpText, number: number) => {
    const path = join(dir, `${mayBeWhole}-${number}.csv`)
    writeFileSync(path, dump.text)
    const archive = { beginImport, state: () => known }
    const fetched_at = START + number * 300
    const edition = {
      path,
      rows: dump.claimed ?? countRows(dump.text),
      edition: `${number}`,
      fetched_at,
    }
    try {
      const outcome = await importEdition({
        ...{
          archive: archive as never,
          edition: edition as KeptEdition,
          onProgress: () => undefined,
        },
        ...{ signal: new AbortController().signal, judge: () => undefined },
      })
      known = { ...known, generation: outcome.generation }
      return outcome
    } catch (error) {
      return String(error)
    }
  }
  const readTables = async () => ({
    rating: (await sql`select * from rating`.execute(db)).rows,
    symbol: (await sql`select * from symbol order by all`.execute(db)).rows,
    quarantine: (await sql`select * from quarantine order by all`.execute(db)).rows,
    journal: (await sql`select * from journal`.execute(db)).rows,
    verified: await verifyArchive(db),
  })
  return { bringIn, readTables, taken, close: engine.close }
}

function countRows(text: string): number {
  const reader = createCsvReader()
  try {
    return reader.push(new TextEncoder().encode(text)).length + reader.end().records.length
  } catch {
    return 0
  }
}

async function compare(dumps: readonly DumpText[], rebuildAbove: number) {
  const whole = await openSide({ mayBeWhole: true, rebuildAbove })
  const byRecord = await openSide({ mayBeWhole: false, rebuildAbove })
  try {
    for (const [number, dump] of dumps.entries()) {
      expect(await whole.bringIn(dump, number)).toEqual(await byRecord.bringIn(dump, number))
      const tables = await whole.readTables()
      expect(tables).toEqual(await byRecord.readTables())
      expect(tables.verified.problems).toEqual([])
    }
    return whole.taken
  } finally {
    await whole.close()
    await byRecord.close()
  }
}

const RUNS = 12
const aThreshold = fc.constantFrom(0, 1000)

test('an archive is the same whether the database read a dump or it was read record by record', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aDump, { minLength: 1, maxLength: 3 }),
      aThreshold,
      async (dumps, above) => {
        await compare(dumps, above)
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  )
}, 600_000)

test('every plain dump is read by the database, the first as the second, and the archive is the same', async () => {
  await fc.assert(
    fc.asyncProperty(aPlainDump, aPlainDump, aThreshold, async (first, second, above) => {
      expect(await compare([first, second], above)).toEqual([true, true])
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
}, 600_000)
