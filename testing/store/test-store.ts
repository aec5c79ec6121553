import { inject, onTestFinished } from 'vitest'
import type { Database } from '#lib/store/connection.ts'
import { openStoreAt, type TestStore } from './open-store.ts'

/** The address of a new database on the server of the run, where all files of tests have theirs. */
export const makeDatabase = async (): Promise<string> => await ask('/empty')

/** A new database there that has our tables, gone when it is closed. */
export async function openTestStore(): Promise<TestStore> {
  const store = await openStoreAt(await ask('/tables'))
  return {
    ...store,
    async close() {
      await store.close()
      await ask(new URL(store.url).pathname, 'DELETE')
    },
  }
}

/** Connects to a store of the test's own, gone with the test. */
export async function connectForTest(connections?: number): Promise<Database> {
  const store = await openTestStore()
  onTestFinished(store.close)
  return store.connect(connections)
}

async function ask(path: string, method = 'GET'): Promise<string> {
  const response = await fetch(`${inject('databases')}${path}`, { method })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
