import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type Engine, openEngine } from './duckdb-engine.ts'
import { MIGRATIONS, type Migration, migrate, SCHEMA_VERSION, selectVersion } from './migrations.ts'

async function open(): Promise<Engine['writer']> {
  const engine = await openEngine({ path: ':memory:', memoryLimit: '64MB', threads: 1 })
  onTestFinished(async () => await engine.close())
  return engine.writer
}

const addNote: Migration = async (db) =>
  void (await sql`alter table rating add column note text`.execute(db))
const renameNote: Migration = async (db) =>
  void (await sql`alter table rating rename column note to remark`.execute(db))

const selectColumns = async ({ db }: Engine['writer']) => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_name = 'rating'`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

test('an empty file is of the newest version', async () => {
  const { db } = await open()
  expect(await selectVersion(db)).toBe(0)
  await migrate(db)
  expect(await selectVersion(db)).toBe(SCHEMA_VERSION)
})

test('a file takes each later step once, in order', async () => {
  const writer = await open()
  await migrate(writer.db)
  await migrate(writer.db, [...MIGRATIONS, addNote])
  const all = [...MIGRATIONS, addNote, renameNote]
  await migrate(writer.db, all)
  await migrate(writer.db, all)
  expect(await selectVersion(writer.db, all.length)).toBe(all.length)
  expect(await selectColumns(writer)).toContain('remark')
})

test('a step that fails leaves the file at the step before', async () => {
  const writer = await open()
  const failing: Migration = async (db) => {
    await renameNote(db)
    throw new Error('no room')
  }
  const all = [...MIGRATIONS, addNote, failing]
  await expect(migrate(writer.db, all)).rejects.toThrow('no room')
  expect(await selectVersion(writer.db, all.length)).toBe(SCHEMA_VERSION + 1)
  expect(await selectColumns(writer)).toContain('note')
})
