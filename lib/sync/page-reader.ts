import { AppError } from '#lib/contract/faults.ts'
import type { ServicePage, Upstream } from '#lib/upstream/upstream.ts'

/** A limit that lifts this soon is waited for in place: the pages read so far are still the newest. */
const PATIENCE_SECONDS = 90

export type PageReader = {
  readPage(page: number): Promise<ServicePage>
  /** Requests that were answered. */
  requests(): number
}

/** Reads pages within the limits of the key: told to wait for a minute or so, it waits and goes on. */
export function createPageReader(deps: {
  upstream: Upstream
  signal: AbortSignal
  /** Waits so many seconds, and says why. */
  pause: (seconds: number, reason: string) => Promise<void>
}): PageReader {
  let requests = 0
  return {
    requests: () => requests,
    async readPage(page) {
      for (;;) {
        deps.signal.throwIfAborted()
        try {
          const read = await deps.upstream.fetchPage(page, { signal: deps.signal })
          requests += 1
          return read
        } catch (error) {
          const seconds = toPatience(error)
          if (seconds === null) throw error
          await deps.pause(seconds, error instanceof AppError ? error.message : '')
        }
      }
    },
  }
}

function toPatience(error: unknown): number | null {
  if (!(error instanceof AppError) || error.fault !== 'budget_spent') return null
  const seconds = error.retryAfterSeconds
  return seconds !== undefined && seconds <= PATIENCE_SECONDS ? Math.max(1, seconds) : null
}
