import { parseDatabaseUrl } from '#lib/store/address.ts'
import { connect, type Database } from '#lib/store/connection.ts'
import { migrateStore } from '#lib/store/schema.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

/** A server with a database that has our tables. */
export type TestStore = {
  server: PostgresServer
  url: string
  /** A pool of its own, as a node has; closed with the store. */
  connect(connections?: number): Database
  close(): Promise<void>
}

export async function openTestStore(name: string): Promise<TestStore> {
  const server = await startPostgres()
  const url = await server.database(name)
  const parsed = parseDatabaseUrl(url)
  if (!parsed.ok) throw new Error(parsed.problem)
  const { address } = parsed
  const pools: Database[] = []
  const open = (connections = 2) => {
    const pool = connect({ address, connections })
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
      await server.close()
    },
  }
}
