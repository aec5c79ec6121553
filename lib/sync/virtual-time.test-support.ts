import type { Sleep } from './rest.ts'

/** A clock that stands until a test moves it on, and the sleeps that end as it moves. In seconds since 1970. */
export type VirtualTime = {
  at: number
  now: () => number
  sleep: Sleep
  /** Does something every so many seconds until it is called off; nobody waits for it. */
  every: (seconds: number, run: () => void) => () => void
  /** Resolves when somebody sleeps: what went before is done. */
  settled(): Promise<void>
  /** The clock is set; what sleeps sleeps on for as long as it would have. */
  jump(seconds: number): void
  /** Moves on, and does not wait for whoever works: for what hangs. */
  tick(seconds: number): Promise<void>
  /** Moves on, sleep by sleep. */
  pass(seconds: number): Promise<void>
}

type Sleeper = { until: number; end: () => void }

export function createVirtualTime(start: number): VirtualTime {
  let sleepers: Sleeper[] = []
  let timers: { at: number; seconds: number; run: () => void }[] = []
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
    every(seconds, run) {
      const timer = { at: time.at + seconds, seconds, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    settled: () =>
      sleepers.length > 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve)
          }),
    jump(seconds) {
      time.at += seconds
      for (const sleeper of sleepers) sleeper.until += seconds
      for (const timer of timers) timer.at += seconds
    },
    async tick(seconds) {
      time.at += seconds
      for (const { until, end } of sleepers) if (until <= time.at) end()
      for (const timer of timers.filter(({ at }) => at <= time.at)) {
        timer.at += timer.seconds
        timer.run()
      }
      await turnsOfTheLoop()
    },
    async pass(seconds) {
      const target = time.at + seconds
      for (;;) {
        await time.settled()
        const [next] = sleepers.sort((a, b) => a.until - b.until)
        const [timer] = timers.sort((a, b) => a.at - b.at)
        if (timer && timer.at <= Math.min(target, next?.until ?? target)) {
          time.at = Math.max(time.at, timer.at)
          timer.at += timer.seconds
          timer.run()
          await turnsOfTheLoop()
          continue
        }
        if (!next || next.until > target) break
        time.at = Math.max(time.at, next.until)
        next.end()
      }
      time.at = target
    },
  }
  return time
}

/** What a timer has begun may need a database, which answers from another thread. */
async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
