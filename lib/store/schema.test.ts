import { afterAll, describe, expect, it } from 'vitest'
import { makeDatabase } from '#testing/store/test-store.ts'
import { parseDatabaseUrl } from './address.ts'
import { connect, type Database } from './connection.ts'
import { MIGRATIONS, migrateStore, STORE_VERSION } from './schema.ts'

const opened: Database[] = []

afterAll(async () => {
  await Promise.all(opened.map(async (sql) => await sql.end({ timeout: 1 })))
})

async function open(): Promise<Database> {
  const parsed = parseDatabaseUrl(await makeDatabase())
  if (!parsed.ok) throw new Error(parsed.problem)
  const sql = connect({ address: parsed.address })
  opened.push(sql)
  return sql
}

describe('the tables of the shared database', () => {
  it('are made once by nodes that start at once', async () => {
    const sql = await open()
    await Promise.all(Array.from({ length: 4 }, () => migrateStore(sql)))
    const rows = await sql<{ version: number }[]>`select version from bellwether.schema_version`
    expect(rows.map((row) => row.version)).toEqual([STORE_VERSION])
    const leases = await sql`select * from bellwether.lease`
    expect(leases).toHaveLength(1)
  })

  it("are not made in another program's database", async () => {
    const sql = await open()
    await sql`create table invoice (id int)`
    await expect(migrateStore(sql)).rejects.toThrow('another program')
    expect(await sql`select to_regnamespace('bellwether') as found`).toEqual([{ found: null }])
  })

  it('take each later step once, by nodes that start at once, and keep what they hold', async () => {
    const sql = await open()
    await migrateStore(sql)
    await sql`update bellwether.lease set epoch = 7`
    const later = [
      ...MIGRATIONS,
      { readableFrom: 1, statements: 'alter table bellwether.lease add column note text' },
    ]
    await Promise.all(Array.from({ length: 4 }, () => migrateStore(sql, later)))
    expect(await sql`select version from bellwether.schema_version`).toEqual([
      { version: STORE_VERSION + 1 },
    ])
    expect(await sql`select epoch, note from bellwether.lease`).toEqual([{ epoch: 7, note: null }])
    await migrateStore(sql)
  })

  it('of a newer version stay as they are, unless this program may work with them', async () => {
    const sql = await open()
    await migrateStore(sql)
    await sql`update bellwether.schema_version set version = 99, readable_from = ${STORE_VERSION}`
    await migrateStore(sql)
    await sql`update bellwether.schema_version set readable_from = 99`
    await expect(migrateStore(sql)).rejects.toThrow('has version 99')
  })
})
