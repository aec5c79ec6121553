import type { Progress } from '#lib/contract/answers/state.ts'
import type { SyncState } from './sync.ts'

/** What the sync says of itself, and who wants to hear of each change. */
export type SyncStatus = {
  read(): SyncState
  set(change: Partial<SyncState>): void
  /** Begins a step. `watched` gives its progress where somebody else makes it, as of a fetch. */
  enter(state: SyncState['state'], watched?: () => Progress | null): void
  progress(progress: Progress): void
  onChange(listener: () => void): () => void
}

export function createSyncStatus(): SyncStatus {
  let state: SyncState = {
    state: 'starting',
    reason: null,
    progress: null,
    checked_at: null,
    next_at: null,
  }
  let watch: (() => Progress | null) | null = null
  const listeners = new Set<() => void>()
  const set = (change: Partial<SyncState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  return {
    read: () => ({ ...state, progress: state.progress ?? watch?.() ?? null }),
    set,
    enter(name, watched) {
      watch = watched ?? null
      set({ state: name, reason: null, progress: null, next_at: null })
    },
    progress: (progress) => set({ progress }),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
