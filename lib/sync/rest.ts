/** However long it is to wait, the clock is looked at this often: machines sleep, and clocks are set. */
export const SLICE_SECONDS = 900

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** Waiting that can be called off. */
export type Rest = {
  /** Waits until an instant, or until woken: then not before `earliest`; where that is null it sleeps on. */
  until(at: number, options: { signal: AbortSignal; earliest: number | null }): Promise<void>
  wake(): void
  /** Waits so many seconds, without a look at the clock, even where sleeping fails. */
  pause(seconds: number, signal: AbortSignal): Promise<void>
}

/**
 * `now` in seconds since 1970. A clock that stands still, or a sleep that is cut short, ends no rest too late. `onSlice`
 * is told each time it looks at the clock.
 */
export function createRest(deps: { sleep: Sleep; now: () => number; onSlice?: () => void }): Rest {
  const { sleep, now, onSlice = () => undefined } = deps
  let wakeUp: () => void = () => undefined

  /** True where it was woken. */
  const sleepOnce = async (seconds: number, signal: AbortSignal): Promise<boolean> => {
    const sleeping = new AbortController()
    const end = () => sleeping.abort()
    let isWoken = false
    wakeUp = () => {
      isWoken = true
      end()
    }
    signal.addEventListener('abort', end, { once: true })
    try {
      await sleep(seconds * 1000, sleeping.signal)
    } catch {
      // A sleep that was called off rejects; there is nothing else that it could tell.
    } finally {
      signal.removeEventListener('abort', end)
      wakeUp = () => undefined
    }
    return isWoken
  }

  return {
    async until(at, { signal, earliest }) {
      let target = at
      let left = target - now()
      while (left > 0 && !signal.aborted) {
        onSlice()
        const seconds = Math.min(left, SLICE_SECONDS)
        const isWoken = await sleepOnce(seconds, signal)
        if (isWoken && earliest !== null) target = Math.min(target, Math.max(earliest, now()))
        left = isWoken ? target - now() : Math.min(target - now(), left - seconds)
      }
    },
    wake: () => wakeUp(),
    async pause(seconds, signal) {
      await sleepOnce(seconds, signal)
    },
  }
}
