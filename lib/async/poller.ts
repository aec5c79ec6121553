import { createSharedTurns } from './serial-queue.ts'

/** Polls never overlap. */
export type Poller = {
  /** Callers during a poll share the next one. */
  poll(): Promise<void>
  settled(): Promise<void>
  close(): Promise<void>
}

type PollerOptions = {
  seconds: number
  every: (seconds: number, run: () => void) => () => void
  poll: (signal: AbortSignal) => Promise<void>
}

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

/** Does not keep the process alive. */
export const every = (seconds: number, run: () => void) => {
  const timer = setInterval(run, seconds * 1000)
  timer.unref()
  return () => clearInterval(timer)
}
