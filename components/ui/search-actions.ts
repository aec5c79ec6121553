import { useEffect, useEffectEvent } from 'react'
import { create } from 'zustand'
import { usePageKey } from './keyboard-shortcuts.ts'

export type SearchAction = { name: string; detail: string; run: () => void }

const useStore = create<{ actions: readonly SearchAction[] }>(() => ({ actions: [] }))

export const useSearchActions = (): readonly SearchAction[] => useStore(({ actions }) => actions)

/** Lists an action in the search, by a name of its own. `key`: the letter that also runs it. */
export function useSearchAction({ name, detail, key, run }: SearchAction & { key?: string }) {
  const onRun = useEffectEvent(run)
  useEffect(() => {
    const action = { name, detail, run: () => onRun() }
    useStore.setState(({ actions }) => ({ actions: [...actions, action] }))
    return () =>
      useStore.setState(({ actions }) => ({ actions: actions.filter((one) => one !== action) }))
  }, [name, detail])
  usePageKey(key ?? null, run)
}
