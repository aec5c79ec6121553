import { parseDatabaseUrl } from '#lib/store/address.ts'
import { connect, type Database } from '#lib/store/connection.ts'
import { type Lease, takeLease } from '#lib/store/lease.ts'
import { migrateStore } from '#lib/store/schema.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

export type TestStore = {
  url: string
  connect(connections?: number): Database
  close(): Promise<void>
}

export async function openStoreAt(url: string): Promise<TestStore> {
  const parsed = parseDatabaseUrl(url)
  if (!parsed.ok) throw new Error(parsed.problem)
  const { address } = parsed
  const pools: Database[] = []
  const open = (connections?: number) => {
    const pool = connect({ address, ...(connections ? { connections } : {}) })
    pools.push(pool)
    return pool
  }
  await migrateStore(open(1))
  return {
    url,
    connect: open,
    async close() {
      await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })))
    },
  }
}

export async function openOwnStore(): Promise<TestStore & { server: PostgresServer }> {
  const server = await startPostgres()
  const store = await openStoreAt(await server.database('own'))
  return {
    ...store,
    server,
    async close() {
      await store.close()
      await server.close()
    },
  }
}

export async function expireLease(sql: Database): Promise<void> {
  await sql`update bellwether.lease set until = '-infinity'`
}

export async function seizeLease(sql: Database, holder: string): Promise<Lease> {
  await expireLease(sql)
  const lease = await takeLease(sql, holder)
  if (!lease) throw new Error('The lease was not taken.')
  return lease
}
