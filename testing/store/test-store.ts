import { inject, onTestFinished } from 'vitest'
import type { Database } from '#lib/store/connection.ts'
import { openStoreAt, type TestStore } from './open-store.ts'

export const makeDatabase = async (): Promise<string> => await ask('/empty')

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
