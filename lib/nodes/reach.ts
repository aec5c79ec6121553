import { type Database, inTime, isAway, toStoreError } from '#lib/store/connection.ts'
import type { Log } from '#lib/sync/sync.ts'

/** A hanging database counts as away. */
export type Reach = {
  /** Times out after 10 s. Throws AppError. */
  use<T>(asked: Promise<T>): Promise<T>
  /** Waits up to ten minutes, or 15 s if probes fail. Throws AppError. */
  whileItLives<T>(asked: Promise<T>): Promise<T>
  /** Unix seconds; null while it answers. */
  awaySince(): number | null
}

type ReachDeps = {
  sql: Database
  /** Unix seconds. */
  now: () => number
  /** Monotonic milliseconds. */
  nowMs: () => number
  every: (seconds: number, run: () => void) => () => void
  log: Log
  awayMs?: number
}

const AWAY_MS = 10_000
const LONG_MS = 600_000
const LIFE_SECONDS = 5

export function createReach({ sql, now, nowMs, every, log, awayMs = AWAY_MS }: ReachDeps): Reach {
  let heardAtMs = nowMs()
  let heardAt = now()
  let isGone = false
  const see = (is: boolean) => {
    if (is !== isGone)
      log(is ? 'the shared database is unreachable' : 'the shared database is reachable again')
    isGone = is
  }
  const wait = async <T>(asked: Promise<T>, withinMs: number): Promise<T> => {
    try {
      const answer = await inTime(sql, asked, withinMs)
      heardAtMs = nowMs()
      heardAt = now()
      see(false)
      return answer
    } catch (cause) {
      see(isAway(cause))
      throw toStoreError(cause)
    }
  }
  return {
    use: async (asked) => await wait(asked, awayMs),
    async whileItLives(asked) {
      // An unanswered probe replaces all connections.
      const look = () => void wait(sql`select 1`.execute(), awayMs).catch(() => undefined)
      const callOff = every(LIFE_SECONDS, look)
      try {
        return await wait(asked, LONG_MS)
      } finally {
        callOff()
      }
    },
    awaySince: () => (isGone || nowMs() - heardAtMs > awayMs ? heardAt : null),
  }
}
