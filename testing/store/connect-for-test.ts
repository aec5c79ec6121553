import { onTestFinished } from 'vitest'
import type { Database } from '#lib/store/connection.ts'
import { openTestStore } from './open-store.ts'
import type { PostgresServer } from './postgres.ts'

/** Connects to a database of its own, with our tables, on a server that runs; gone with the test. */
export async function connectForTest(
  server: PostgresServer,
  connections?: number,
): Promise<Database> {
  const store = await openTestStore(server)
  onTestFinished(store.close)
  return store.connect(connections)
}
