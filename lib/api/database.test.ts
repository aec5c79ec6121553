import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createDatabaseFiles } from '#lib/archive/database/database-files.ts'
import type { DatabaseAnswer } from '#lib/contract/answers/described.ts'
import type { TableSet } from '#lib/contract/api-queries.ts'
import { DATABASE_TABLES, FURTHER_TABLES } from '#lib/contract/database/tables.ts'
import { toAppError } from '#lib/contract/faults.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { openSmallDisk } from '#testing/small-disk.ts'

const NAMES = {
  version: () => 1,
  of: (symbol: string) => (symbol === 'AAPL' ? 'Apple Inc.' : null),
  find: () => [],
  report: () => ({ is_configured: false, file: null, names: 0, read_at: null, failure: null }),
}

let test: TestApi
beforeAll(async () => {
  test = await openTestApi({ onDisk: true, names: { ...NAMES, rejects: () => ({}) } as never })
  await test.fill()
  const symbols = await (await test.ask('/api/symbols?per_page=5')).json()
  const first = Math.floor(test.clock.now / 86_400) - 900
  await test.archive.prices.replace(async (append) => {
    for (const { symbol } of symbols.data) {
      const days = Array.from({ length: 900 }, (_, index) => first + index)
      await append(days.map((day) => ({ symbol, day, close: `${100 + (day % 17)}.25` })))
      await append([{ symbol, day: first + 450, close: '99999' }])
    }
  })
})
afterAll(() => test.close())

const loadFacts = async (): Promise<DatabaseAnswer> =>
  await (await test.ask('/api/database')).json()

async function readTable(
  table: string,
  tables: TableSet = 'all',
): Promise<Record<string, unknown>[]> {
  const { path } = await test.database.ensure({ tables })
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    return await (await connection.runAndReadAll(`from ${table}`)).getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const loadExport = async (name: string): Promise<Record<string, unknown>[]> => {
  const lines = (await (await test.ask(`/api/${name}.ndjson`)).text()).trim().split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** As text of a number, an instant as seconds. */
function toPlain(value: unknown): unknown {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)) {
    return String(Date.parse(`${value.replace(' ', 'T')}Z`) / 1000)
  }
  if (typeof value === 'number') return String(value)
  const isNumber = typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value)
  return isNumber ? String(Number(value)) : value
}

const pick = (row: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, toPlain(row[name] ?? null)]))

const byText = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort()

const OWN: Readonly<Record<string, readonly string[]>> = {
  ratings: ['expired_at', 'ended_at', 'extra', 'symbol_key'],
  symbols: ['name', 'symbol_key', 'search_key'],
  calls: ['symbol_key'],
}

describe('the database file', () => {
  it.each(['ratings', 'symbols', 'users', 'lookups', 'calls'])(
    'holds in %s exactly the rows of the export',
    async (name) => {
      const table = DATABASE_TABLES.find((one) => one.name === name)
      const columns = (table?.columns ?? []).map((column) => column.name)
      const shared = columns.filter((column) => !OWN[name]?.includes(column))
      const exported = await loadExport(name)
      expect(exported.length).toBeGreaterThan(0)
      const rows = await readTable(name)
      expect(byText(rows.map((row) => pick(row, shared)))).toEqual(
        byText(exported.map((row) => pick(row, shared))),
      )
    },
  )

  it('says null where a rating never expires or ends, and when it ends otherwise', async () => {
    const exported = new Map((await loadExport('ratings')).map((row) => [Number(row.id), row]))
    for (const row of await readTable('ratings')) {
      const { expired_at, ended } = exported.get(Number(row.id)) ?? {}
      expect(toPlain(row.expired_at)).toBe(expired_at ? String(expired_at) : null)
      const ends = row.ended_at === null ? Number.POSITIVE_INFINITY : Number(toPlain(row.ended_at))
      expect(ends > test.clock.now).toBe(ended === null)
    }
  })

  it('has the names of companies and the closes of all days, with their flags', async () => {
    const named = (await readTable('symbols')).filter(({ name }) => name !== null)
    expect(named).toMatchObject([{ symbol: 'AAPL', name: 'Apple Inc.' }])
    const prices = await readTable('prices')
    expect(prices).toHaveLength(5 * 900)
    const flagged = prices.filter(({ flag }) => flag !== null)
    expect(flagged.map(({ close, flag }) => `${close} ${flag}`)).toEqual(
      Array.from({ length: 5 }, () => '99999.00000000 spike'),
    )
  })

  it('is described by its tables, columns, rows, bytes and tag', async () => {
    const { data, meta } = await loadFacts()
    const file = await test.database.ensure({ tables: 'all' })
    expect(data).toMatchObject({ bytes: file.bytes, etag: file.etag })
    expect(meta).toMatchObject({ generation: file.generation, as_of: file.asOf })
    for (const table of data.tables) {
      const rows = await readTable(table.name)
      expect([table.name, rows.length]).toEqual([table.name, table.rows])
      const [first] = rows
      if (first) expect(Object.keys(first)).toEqual(table.columns.map(({ name }) => name))
    }
    expect(await readTable('about')).toMatchObject([{ generation: String(meta.generation) }])
  })

  it('has the same rows in its core set, which lacks look-ups, calls and prices', async () => {
    const names = async (tables: TableSet) =>
      (await readTable('(show tables)', tables)).map(({ name }) => name)
    const core = await names('core')
    const further = (await names('all')).filter((name) => !core.includes(name))
    expect(further).toEqual([...FURTHER_TABLES].sort())
    for (const name of core) {
      expect([name, await readTable(String(name), 'core')]).toEqual([
        name,
        await readTable(String(name)),
      ])
    }
    const { data }: DatabaseAnswer = await (await test.ask('/api/database?tables=core')).json()
    expect(data.tables.map(({ name }) => name).sort()).toEqual(core)
    expect((await test.database.ensure({ tables: 'core' })).etag).toBe(data.etag)
  })

  it('is written once for all who ask at once, and again when the archive has changed for a minute', async () => {
    const first = await test.database.ensure({ tables: 'all' })
    await test.archive.prices.replace(async () => {})
    expect(await test.database.ensure({ tables: 'all' })).toBe(first)
    test.clock.now += 60
    const [one, other] = await Promise.all([
      test.database.ensure({ tables: 'all' }),
      test.database.ensure({ tables: 'all' }),
    ])
    expect(one).toBe(other)
    expect(one.etag).not.toBe(first.etag)
    expect([existsSync(first.path), existsSync(one.path)]).toEqual([false, true])
  })

  it('is refused before the archive is filled, as an empty file would look complete', async () => {
    const { reader } = test.archive
    const state = () => ({ ...reader.state(), ratings: 0, completeTo: null })
    const files = createDatabaseFiles({
      reader: { ...reader, state },
      names: NAMES,
      now: () => test.clock.now,
    })
    await expect(files.ensure({ tables: 'all' })).rejects.toMatchObject({ fault: 'not_ready' })
  })

  it('has a tag of its content, so that no file of a different process has it', async () => {
    const { path, etag } = await test.database.ensure({ tables: 'all' })
    const hash = createHash('sha256').update(readFileSync(path)).digest('base64url')
    expect(etag).toBe(`"${hash.slice(0, 27)}"`)
  })

  it('is refused with the reason in a folder that is not writable', async ({ skip }) => {
    const disk = openSmallDisk()
    onTestFinished(disk.close)
    skip(!disk.isMounted, 'only root may mount a disk')
    const { reader } = test.archive
    const newPath = async () => join(disk.dir, 'read-only.duckdb')
    const readOnly = createDatabaseFiles({
      reader: { ...reader, exportFolder: { ...reader.exportFolder, newPath } },
      names: NAMES,
      now: () => test.clock.now,
    })
    disk.allowWrites(false)
    const failure = await readOnly.ensure({ tables: 'core' }).catch(toAppError)
    expect(failure).toMatchObject({ status: 503, message: 'The data folder is not writable.' })
  })

  it('is refused on a full disk, leaves nothing there, and the archive goes on', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'bellwether-full-'))
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    const path = join(dir, 'full.duckdb')
    symlinkSync('/dev/full', path)
    const { reader } = test.archive
    const exportFolder = { ...reader.exportFolder, newPath: async () => path }
    const full = createDatabaseFiles({
      reader: { ...reader, exportFolder },
      names: NAMES,
      now: () => test.clock.now,
    })
    await expect(full.ensure({ tables: 'all' })).rejects.toMatchObject({ fault: 'busy' })
    expect(readdirSync(dir)).toEqual([])
    expect((await test.ask('/api/ratings')).status).toBe(200)
    test.clock.now += 60
    await test.archive.prices.replace(async () => {})
    expect((await loadFacts()).data.tables.find(({ name }) => name === 'prices')?.rows).toBe(0)
  })
})
