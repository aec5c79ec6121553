import type { Progress, StepProgress } from '#lib/contract/answers/status.ts'
import type { SyncState } from './sync.ts'

export type SyncStatus = {
  read(): SyncState
  set(change: Partial<SyncState>): void
  enter(state: SyncState['state'], watched?: () => StepProgress | null): void
  progress(progress: StepProgress): void
  step(): StepProgress | null
  onChange(listener: () => void): () => void
  /** Notifies listeners without counting as progress. */
  tell(): void
}

/** `now` in Unix seconds. */
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
        // Listeners handle their own errors.
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

const WINDOW_SECONDS = 10

export type Pace = {
  see(step: StepProgress | null): Progress | null
}

type Sample = { at: number; done: number }

/** Cheap: keeps one sample per second. */
export function createPace(now: () => number): Pace {
  let seen: { step: StepProgress['step']; since: number } | null = null
  let samples: Sample[] = []

  const isAnother = ({ step, done }: StepProgress, at: number) => {
    const last = samples.at(-1)
    return !last || seen?.step !== step || done < last.done || at < last.at
  }
  return {
    see(step) {
      if (!step) {
        samples = []
        return null
      }
      const at = now()
      if (isAnother(step, at)) {
        samples = []
        seen = { step: step.step, since: at }
      }
      if (samples.at(-1)?.at !== at) samples.push({ at, done: step.done })
      while (samples[1] && samples[1].at <= at - WINDOW_SECONDS) samples.shift()
      const per_second = toRate(samples[0], { at, done: step.done })
      return {
        ...step,
        since: seen?.since ?? at,
        per_second,
        remaining_seconds: toRemaining(step, per_second),
      }
    },
  }
}

function toRate(from: Sample | undefined, to: Sample): number | null {
  if (!from || to.at <= from.at) return null
  return Math.round(((to.done - from.done) / (to.at - from.at)) * 10) / 10
}

function toRemaining({ done, total }: StepProgress, perSecond: number | null): number | null {
  if (total === null || !perSecond) return null
  return Math.max(0, Math.ceil((total - done) / perSecond))
}

/** `1 rating`, `2,911 ratings`. */
export const countOf = (number: number, what: string) =>
  `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`
