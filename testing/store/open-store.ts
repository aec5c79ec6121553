import { parseDatabaseUrl } from '#lib/store/address.ts'
import { connect, type Database } from '#lib/store/connection.ts'
import { type Lease, takeLease } from '#lib/store/lease.ts'
import { migrateStore } from '#lib/store/schema.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

/** A database of a test's own that has our tables. */
export type TestStore = {
  server: PostgresServer
  url: string
  /** A pool of its own, as a node has; closed with the store. */
  connect(connections?: number): Database
  /** Closes the pools, and the server where the store started it. */
  close(): Promise<void>
}

let databases = 0

/** Makes it on a server that runs, or on one of its own. */
export async function openTestStore(running?: PostgresServer): Promise<TestStore> {
  const server = running ?? (await startPostgres())
  databases += 1
  const url = await server.database(`test_${databases}`)
  const parsed = parseDatabaseUrl(url)
  if (!parsed.ok) throw new Error(parsed.problem)
  const { address } = parsed
  const pools: Database[] = []
  const open = (connections?: number) => {
    const pool = connect({ address, ...(connections ? { connections } : {}) })
    pools.push(pool)
    return pool
  }
  await migrateStore(open())
  return {
    server,
    url,
    connect: open,
    async close() {
      for (const pool of pools) await pool.end({ timeout: 1 })
      if (!running) await server.close()
    },
  }
}

export async function expireLease(sql: Database): Promise<void> {
  await sql`update bellwether.lease set until = '-infinity'`
}

/** The lease, taken from whoever holds it. */
export async function seizeLease(sql: Database, holder: string): Promise<Lease> {
  await expireLease(sql)
  const lease = await takeLease(sql, holder)
  if (!lease) throw new Error('The lease was not taken.')
  return lease
}
