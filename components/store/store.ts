import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { toKeptName } from '#lib/contract/base-path.ts'
import { parseJson } from '#lib/contract/json-text.ts'
import { findEarlierKeys, readEarlierState } from './earlier-keys.ts'
import { isRecord, parseStoredState, type StoredState } from './stored-state.ts'

export const KEY = toKeptName('bellwether')
const VERSION = 1

export type StorageProblem = 'denied' | 'full'

/** `storage` is a function, because accessing `localStorage` may throw. */
export function createStore(storage: () => Storage) {
  let lastText: string | null | undefined
  let earlierKeys: string[] = []
  const useStorageProblem = create<StorageProblem | null>(() => null)

  const useStored = create<StoredState>()(
    persist<StoredState, [], [], unknown>(() => parseStoredState({}), {
      name: KEY,
      version: VERSION,
      skipHydration: true,
      storage: {
        getItem(name) {
          const text = storage().getItem(name)
          if (text === lastText) return null
          const isFirst = lastText === undefined
          lastText = text
          if (text !== null) {
            const json = parseJson(text)
            return isRecord(json) ? { state: json.state, version: Number(json.version) } : null
          }
          if (!isFirst) return { state: {}, version: VERSION }
          earlierKeys = findEarlierKeys(storage())
          if (earlierKeys.length === 0) return null
          return { state: readEarlierState(storage(), earlierKeys), version: 0 }
        },
        setItem(name, value) {
          const text = JSON.stringify(value)
          if (text === lastText) return
          try {
            storage().setItem(name, text)
            lastText = text
            useStorageProblem.setState(null, true)
            for (const key of earlierKeys.splice(0)) storage().removeItem(key)
          } catch (error) {
            setProblem(error)
          }
        },
        removeItem: (name) => storage().removeItem(name),
      },
      migrate: (state) => state,
      merge: (persisted, current) =>
        persisted === undefined ? current : parseStoredState(persisted),
      onRehydrateStorage: () => (_, error) => {
        if (error !== undefined) setProblem(error)
      },
    }),
  )

  function setProblem(error: unknown) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError'
    useStorageProblem.setState(isFull ? 'full' : 'denied', true)
  }

  /** Reads what other tabs have written. */
  const rehydrate = () => void useStored.persist.rehydrate()

  function updateStored(change: (state: StoredState) => Partial<StoredState>): void {
    rehydrate()
    useStored.setState(change)
  }
  return { useStored, useStorageProblem, updateStored, rehydrate }
}

/**
 * What the reader keeps in this browser. Without storage it lasts until the page closes. While a
 * page hydrates, the hooks return what the server rendered: nothing is stored.
 */
const store = createStore(() => window.localStorage)
export const { useStored, useStorageProblem, updateStored } = store

if (typeof window !== 'undefined') {
  store.rehydrate()
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) store.rehydrate()
  })
}
