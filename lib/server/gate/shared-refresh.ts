import 'server-only'

const BETWEEN_MS = 250
const LONGEST_MS = 1000
const WAITING_MAX = 256

type SharedRefreshDeps = {
  refresh: () => Promise<void>
  /** Monotonic. */
  nowMs: () => number
  sleep: (ms: number) => Promise<unknown>
}

/** Waiting requests share a refresh that begins after they arrived. */
export function createSharedRefresh({
  refresh,
  nowMs,
  sleep,
}: SharedRefreshDeps): () => Promise<void> {
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
