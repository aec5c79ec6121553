import type { StepProgress } from '#lib/contract/answers/progress.ts'
import { createPace } from './pace.ts'
import type { SyncState } from './sync.ts'

/** What the sync says of itself, and who wants to hear of each change. */
export type SyncStatus = {
  /** With the pace of the step that runs, as of now. */
  read(): SyncState
  set(change: Partial<SyncState>): void
  /** Begins a step. `watched` gives its progress where somebody else makes it, as of a fetch. */
  enter(state: SyncState['state'], watched?: () => StepProgress | null): void
  progress(progress: StepProgress): void
  /** The step that runs, as it was last told of. */
  step(): StepProgress | null
  onChange(listener: () => void): () => void
  /** Something beside it changed, as an alarm: that is told, and no sign that a run gets on. */
  tell(): void
}

/**
 * `now` in seconds since 1970. `onSign` is called when a run says something. A listener that throws keeps nothing from
 * the others or from the sync.
 */
export function createSyncStatus(
  now: () => number,
  onSign: () => void = () => undefined,
): SyncStatus {
  let state: Omit<SyncState, 'progress'> = {
    state: 'starting',
    reason: null,
    move: null,
    checked_at: null,
    next_at: null,
  }
  const pace = createPace(now)
  let step: StepProgress | null = null
  let watch: (() => StepProgress | null) | null = null
  const listeners = new Set<() => void>()

  const tell = () => {
    for (const listener of listeners) {
      try {
        listener()
      } catch {
        // Whoever listens looks after itself: what is told here goes on.
      }
    }
  }
  const sign = () => {
    onSign()
    tell()
  }
  const read = () => step ?? watch?.() ?? null
  return {
    read: () => ({ ...state, progress: pace.see(read()) }),
    set({ progress, ...change }) {
      if (progress !== undefined) step = progress
      state = { ...state, ...change }
      sign()
    },
    enter(name, watched) {
      watch = watched ?? null
      step = null
      state = { ...state, state: name, reason: null, next_at: null }
      sign()
    },
    progress(next) {
      step = next
      sign()
    },
    step: read,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell,
  }
}
