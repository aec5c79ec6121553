import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openEngine } from './duckdb-engine.ts'

async function openIn(folder: string) {
  const path = join(folder, 'archive.db')
  const engine = await openEngine({ path, memoryLimit: '128MB', threads: 2 })
  const beside = await engine.attach({ name: 'prices', path: join(folder, 'prices.duckdb') })
  return { engine, beside }
}

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('what is written beside the ratings is read together with them, and is still there when both are opened again', async () => {
  const folder = await makeFolder()
  const first = await openIn(folder)
  await sql`create table prices.price as select 7 as close`.execute(first.beside.db)
  await first.engine.close()
  const { engine } = await openIn(folder)
  const { rows } = await engine.read((db) => sql`select close from prices.price`.execute(db))
  expect(rows).toEqual([{ close: 7 }])
  await engine.close()
})

test('a damaged file beside the ratings is begun anew', async () => {
  const folder = await makeFolder()
  await writeFile(join(folder, 'prices.duckdb'), 'no database at all')
  const { engine, beside } = await openIn(folder)
  await sql`create table prices.price as select 1 as close`.execute(beside.db)
  await engine.close()
})
