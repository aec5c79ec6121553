/** Milliseconds, by a clock that never jumps. */
export type TimeLimits = {
  /** From sending a request to its answer's headers. */
  headersMs: number
  /** A whole attempt at a page. */
  pageMs: number
  /** Between two pieces of a page. */
  pageIdleMs: number
  /** Waited in a dump without `dumpIdleBytes` coming: what drips is as good as what stands still. */
  dumpIdleMs: number
  dumpIdleBytes: number
  /** All attempts at one call, with the waits between them; for a dump until its body begins. */
  callMs: number
}

export const TIME_LIMITS: TimeLimits = {
  headersMs: 10_000,
  pageMs: 60_000,
  pageIdleMs: 15_000,
  dumpIdleMs: 30_000,
  // 50 kB a second.
  dumpIdleBytes: 1_500_000,
  callMs: 180_000,
}

/** A signal that fires when a caller gives up or a limit passes. Its reason is what is to be thrown then. */
export type Watch = {
  signal: AbortSignal
  /** Sets the limit of that name, in place of the one before. */
  limit(name: string, ms: number, toReason: () => unknown): void
  lift(name: string): void
  /** Fires the signal unless it has, and forgets limits and callers. */
  close(): void
  /** Forgets limits and callers, without firing. */
  end(): void
}

/** A watch over some work, fired also by any of `callers`. Must be closed or ended. */
export function createWatch(...callers: (AbortSignal | undefined)[]): Watch {
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
