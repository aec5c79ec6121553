import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { draws } from '#testing/draws.ts'
import { anOddText } from '#testing/nodes/imports.ts'
import { readSharedCsv, writeSharedCsv } from './shared-csv.ts'

const COLUMNS = { names: ['id', 'one', 'other', 'since'], texts: ['one', 'other'] }

const aText = fc.oneof(fc.constant(null), anOddText)
const someRows = fc.array(fc.tuple(aText, aText, fc.option(fc.maxSafeInteger())), { maxLength: 40 })

test('every text comes back as it was, whatever stands in it, and none is not an empty one', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'bellwether-csv-'))
  const path = join(dir, 'rows.csv')
  const engine = await openEngine({ path: ':memory:', memoryLimit: '128MB', threads: 1 })
  const { db } = engine.writer
  await sql`create table given (id bigint, one text, other text, since bigint)`.execute(db)
  await fc.assert(
    fc.asyncProperty(someRows, async (rows) => {
      await sql`delete from given`.execute(db)
      for (const [index, [one, other, since]] of rows.entries())
        await sql`insert into given values (${index}, ${one}, ${other}, ${since})`.execute(db)
      const from = sql`from given order by id`
      expect(await writeSharedCsv(db, { path, columns: COLUMNS, from })).toBe(rows.length)
      const { rows: others } = await sql`
        select * from given except all select * from ${readSharedCsv(path, COLUMNS)}`.execute(db)
      expect(others).toEqual([])
      const { rows: counted } = await sql`
        select count(*) as rows from ${readSharedCsv(path, COLUMNS)}`.execute(db)
      expect(counted).toEqual([{ rows: rows.length }])
    }),
    { numRuns: draws(400) },
  )
  await engine.close()
  await rm(dir, { recursive: true })
})

test('a text as long as a page of a service is read', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'bellwether-csv-'))
  const path = join(dir, 'rows.csv')
  const engine = await openEngine({ path: ':memory:', memoryLimit: '256MB', threads: 1 })
  const { db } = engine.writer
  const from = sql`from (
    select 1 as id, repeat('"', 8388608) as one, null as other, null as since
    union all select 2, '', '', 7
  ) as given order by id`
  await writeSharedCsv(db, { path, columns: COLUMNS, from })
  const { rows } = await sql`
    select length(one) as size, other from ${readSharedCsv(path, COLUMNS)} order by id`.execute(db)
  expect(rows).toEqual([
    { size: 8_388_608, other: null },
    { size: 0, other: '' },
  ])
  await engine.close()
  await rm(dir, { recursive: true })
})
