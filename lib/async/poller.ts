import { createSharedTurns } from './serial-queue.ts'

/** Polls for changes. Polls never overlap. */
export type Poller = {
  /** Polls now. Resolves when that poll is done; callers that come during a poll share the next one. */
  poll(): Promise<void>
  /** Resolves when the poll that began last is done. */
  settled(): Promise<void>
  /** Stops polling and aborts the current poll. Resolves when that has ended. */
  close(): Promise<void>
}

type PollerOptions = {
  seconds: number
  every: (seconds: number, run: () => void) => () => void
  /** Never rejects. */
  poll: (signal: AbortSignal) => Promise<void>
}

/** Polls at once, every `seconds`, and on demand. */
export function createPoller({ seconds, every, poll }: PollerOptions): Poller {
  const stopping = new AbortController()
  const turn = createSharedTurns(async () => {
    if (!stopping.signal.aborted) await poll(stopping.signal)
  })
  let last = turn()
  const pollAgain = async () => {
    last = turn()
    await last
  }
  const stopTimer = every(seconds, () => void pollAgain())
  return {
    poll: pollAgain,
    settled: async () => await last,
    async close() {
      stopTimer()
      stopping.abort()
      await last
    },
  }
}
