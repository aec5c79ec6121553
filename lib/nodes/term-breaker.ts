import type { CircuitBreaker } from '#lib/upstream/circuit-breaker.ts'

/** The circuit breaker of a node: from term to term it goes by what the node before it knew. */
export type TermBreaker = CircuitBreaker & {
  /** Goes by another from now on: what the service said to whoever led before. */
  take(breaker: CircuitBreaker): Promise<void>
}

/** `own` is gone by until the first term begins. `key` is what it was made with. */
export function createTermBreaker(own: CircuitBreaker, key: string): TermBreaker {
  let current = own
  let currentKey = key
  return {
    admit: async () => await current.admit(),
    accept: async () => await current.accept(),
    refuse: async () => await current.refuse(),
    async changeKey(next) {
      currentKey = next
      await current.changeKey(next)
    },
    pause: async (seconds) => await current.pause(seconds),
    hear: async () => await current.hear(),
    fail: async (error, admission) => await current.fail(error, admission),
    pausedUntil: () => current.pausedUntil(),
    noteDate: (headers) => current.noteDate(headers),
    clock: {
      clocks: (...given) => current.clock.clocks(...given),
      skewSeconds: () => current.clock.skewSeconds(),
    },
    close: async () => await current.close(),
    async take(breaker) {
      current = breaker
      if (currentKey !== key) await breaker.changeKey(currentKey)
    },
  }
}
