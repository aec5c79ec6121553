import type { Sleep } from './rest.ts'

/** A clock that stands until a test moves it on, and the sleeps that end as it moves. In seconds since 1970. */
export type VirtualTime = {
  at: number
  now: () => number
  sleep: Sleep
  /** Resolves when somebody sleeps: what went before is done. */
  settled(): Promise<void>
  /** Moves on, sleep by sleep. */
  pass(seconds: number): Promise<void>
}

type Sleeper = { until: number; end: () => void }

export function createVirtualTime(start: number): VirtualTime {
  let sleepers: Sleeper[] = []
  let waiting: (() => void)[] = []

  const time: VirtualTime = {
    at: start,
    now: () => time.at,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const end = () => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          resolve()
        }
        const sleeper = { until: time.at + Math.ceil(ms / 1000), end }
        sleepers.push(sleeper)
        signal.addEventListener('abort', end, { once: true })
        if (signal.aborted) end()
        for (const tell of waiting) tell()
        waiting = []
      }),
    settled: () =>
      sleepers.length > 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve)
          }),
    async pass(seconds) {
      const target = time.at + seconds
      for (;;) {
        await time.settled()
        const [next] = sleepers.sort((a, b) => a.until - b.until)
        if (!next || next.until > target) break
        time.at = Math.max(time.at, next.until)
        next.end()
      }
      time.at = target
    },
  }
  return time
}
