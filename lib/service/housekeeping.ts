import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { type Editions, ensureEditions } from './editions.ts'
import type { Posts } from './posts.ts'

/** Calls `run` once after so many milliseconds; gives what calls it off. */
export type SetTimer = (run: () => void, delayMs: number) => () => void

/** A machine that slept wakes up late: look at the clock this often, whenever the next Sunday is. */
const LOOK_SECONDS = 60

export type HousekeepingDeps = {
  posts: Posts
  editions: Editions
  now: () => number
  setTimer: SetTimer
  log: (line: string) => void
}

/** What goes on without being asked: ratings arrive, and each Sunday's editions are made when it comes. */
export type Housekeeping = { start(): void; stop(): Promise<void> }

export function createHousekeeping(deps: HousekeepingDeps): Housekeeping {
  const { posts, editions, now, setTimer, log } = deps
  let callOff: (() => void) | null = null
  let round: Promise<void> = Promise.resolve()
  let on = false

  async function look(): Promise<void> {
    try {
      const at = now()
      await posts.catchUp(at)
      await ensureEditions(editions, at)
    } catch (error) {
      log(`housekeeping failed: ${error instanceof Error ? error.message : 'not an error'}`)
    }
    if (!on) return
    const waitSeconds = Math.max(1, Math.min(LOOK_SECONDS, nextEditionAt(now()) - now()))
    callOff = setTimer(begin, waitSeconds * 1000)
  }

  function begin(): void {
    callOff = null
    round = look()
  }

  return {
    start() {
      if (on) return
      on = true
      begin()
    },
    async stop() {
      on = false
      callOff?.()
      callOff = null
      await round
    },
  }
}
