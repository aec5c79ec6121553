import { onTestFinished } from 'vitest'
import { parseDatabaseUrl } from '#lib/store/address.ts'
import { connect, type Database } from '#lib/store/connection.ts'
import { type Lease, takeLease } from '#lib/store/lease.ts'
import { migrateStore } from '#lib/store/schema.ts'
import type { PostgresServer } from './postgres.ts'

let databases = 0

/** A shared database of a test's own, with its tables, and closed when the test is over. */
export async function openTestStore(server: PostgresServer, connections = 4): Promise<Database> {
  databases += 1
  const parsed = parseDatabaseUrl(await server.database(`test_${databases}`))
  if (!parsed.ok) throw new Error(parsed.problem)
  const sql = connect({ address: parsed.address, connections })
  onTestFinished(() => sql.end({ timeout: 1 }))
  await migrateStore(sql)
  return sql
}

/** The lease, taken from whoever holds it. */
export async function seizeLease(sql: Database, holder: string): Promise<Lease> {
  await sql`update bellwether.lease set until = '-infinity'`
  const lease = await takeLease(sql, holder)
  if (!lease) throw new Error('The lease was not taken.')
  return lease
}
