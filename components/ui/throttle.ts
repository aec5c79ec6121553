export type Throttled = { call: () => void; stop: () => void }

/** Acts at once, then no sooner than `everyMs` after the last time, the last call included. Nothing acts after `stop`. */
export function atMostEvery(everyMs: number, act: () => void): Throttled {
  let lastMs = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    timer = undefined
    lastMs = performance.now()
    act()
  }
  return {
    call() {
      if (timer !== undefined) return
      const leftMs = lastMs + everyMs - performance.now()
      if (leftMs <= 0) run()
      else timer = setTimeout(run, leftMs)
    },
    stop: () => clearTimeout(timer),
  }
}
