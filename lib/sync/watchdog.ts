import type { AlarmKeeper } from './alarm-keeper.ts'
import { type Loop, runLoop } from './sync-loop.ts'

const LOOK_SECONDS = 60

/** Does `run` every so many seconds. Gives what ends it. */
export type Every = (seconds: number, run: () => void) => () => void

/** The loop, and who looks after it: a run that hangs is broken off and the loop begun anew; never two at once. */
export type Watchdog = { start(): void; stop(): Promise<void> }

type Running = { abort: AbortController; ended: Promise<void>; hasEnded: boolean }

export function createWatchdog(deps: {
  loop: Loop
  alarms: AlarmKeeper
  every: Every | undefined
}): Watchdog {
  const { loop, alarms, every } = deps
  let running: Running | null = null
  let isStopped = true
  let callOff = () => {}

  const begin = () => {
    const abort = new AbortController()
    const begun: Running = { abort, hasEnded: false, ended: Promise.resolve() }
    begun.ended = runLoop(loop, abort.signal)
      .catch(() => undefined)
      .then(() => {
        begun.hasEnded = true
      })
    loop.heartbeat.beat()
    running = begun
  }
  /** Where what hangs does not even end when it is told to, there is no second loop beside it: the alarm stands. */
  const beginAnew = async (hanging: Running) => {
    hanging.abort.abort()
    await hanging.ended
    if (!isStopped && running === hanging) begin()
  }
  const look = async () => {
    if (loop.heartbeat.look() && running && !running.abort.signal.aborted) {
      loop.reporter.restarted('no sign of life')
      loop.heartbeat.restarted()
      void beginAnew(running)
    }
    if (!isStopped && running?.hasEnded) begin()
    await alarms.look()
  }
  return {
    start() {
      if (!isStopped) return
      isStopped = false
      begin()
      callOff = every?.(LOOK_SECONDS, () => void look().catch(() => undefined)) ?? (() => {})
    },
    async stop() {
      isStopped = true
      callOff()
      running?.abort.abort()
      await running?.ended
      running = null
    },
  }
}
