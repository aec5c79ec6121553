import 'server-only'

/** Whoever shows a secret that is none here costs the shared database no more than four statements a second. */
const BETWEEN_MS = 250
/** Longer nobody waits for a database that does not answer. */
const LONGEST_MS = 1000
/** So many wait at a time: of whoever comes then it is not asked. */
const WAITING_MAX = 256

export type LookAnewDeps = {
  /** Reads whom others have let in. */
  refresh: () => Promise<void>
  /** Milliseconds by a clock that never jumps. */
  nowMs: () => number
  sleep: (ms: number) => Promise<unknown>
}

/**
 * Gives what looks whether somebody was let in elsewhere a moment ago: who signs in at one node is sent on to another one before
 * that has heard of it. All who wait share a look, which begins after each of them came.
 */
export function createLookAnew({ refresh, nowMs, sleep }: LookAnewDeps): () => Promise<void> {
  let lastMs = Number.NEGATIVE_INFINITY
  let coming: Promise<void> | null = null
  let looking: Promise<void> = Promise.resolve()
  let waiting = 0

  const begin = async () => {
    await looking
    const restMs = lastMs + BETWEEN_MS - nowMs()
    if (restMs > 0) await sleep(restMs)
    lastMs = nowMs()
    coming = null
    // What keeps it from that, the look of every second tells the log.
    looking = refresh().catch(() => undefined)
    await looking
  }
  return async () => {
    if (waiting >= WAITING_MAX) return
    waiting += 1
    try {
      coming ??= begin()
      await Promise.race([coming, sleep(LONGEST_MS)])
    } finally {
      waiting -= 1
    }
  }
}
