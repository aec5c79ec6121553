/** Monotonic milliseconds. */
export type TimeLimits = {
  headersMs: number
  pageMs: number
  pageIdleMs: number
  /** Time within which `dumpIdleBytes` must arrive. */
  dumpIdleMs: number
  dumpIdleBytes: number
  /** With retries; for a dump, until its body begins. */
  callMs: number
}

export const TIME_LIMITS: TimeLimits = {
  headersMs: 10_000,
  pageMs: 60_000,
  pageIdleMs: 15_000,
  dumpIdleMs: 30_000,
  dumpIdleBytes: 1_500_000,
  callMs: 180_000,
}

/** The abort reason is the error to throw. */
export type Deadlines = {
  signal: AbortSignal
  limit(name: string, ms: number, toReason: () => unknown): void
  lift(name: string): void
  close(): void
  end(): void
}

/** Must be closed or ended. */
export function createDeadlines(...callers: (AbortSignal | undefined)[]): Deadlines {
  const controller = new AbortController()
  const timers = new Map<string, NodeJS.Timeout>()
  const links = callers.flatMap((caller) => {
    if (!caller) return []
    const forward = () => controller.abort(caller.reason)
    if (caller.aborted) forward()
    caller.addEventListener('abort', forward, { once: true })
    return [() => caller.removeEventListener('abort', forward)]
  })
  const lift = (name: string) => {
    clearTimeout(timers.get(name))
    timers.delete(name)
  }
  const end = () => {
    for (const name of [...timers.keys()]) lift(name)
    for (const unlink of links) unlink()
  }
  return {
    signal: controller.signal,
    limit(name, ms, toReason) {
      lift(name)
      timers.set(
        name,
        setTimeout(() => controller.abort(toReason()), ms),
      )
    },
    lift,
    close() {
      end()
      controller.abort()
    },
    end,
  }
}
