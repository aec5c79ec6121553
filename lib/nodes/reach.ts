import { type Database, isAway, toStoreError } from '#lib/store/connection.ts'
import { inTime } from '#lib/store/in-time.ts'
import type { Log } from '#lib/sync/sync.ts'

/** Whether the shared database answers. One that hangs counts as away before its connection breaks. */
export type Reach = {
  /** Waits for an answer of the database, 10 s, and notes whether one came. Throws AppError. */
  use<T>(asked: Promise<T>): Promise<T>
  /**
   * Waits for as long as it takes, ten minutes at most, while the database has an answer to something short. One that falls
   * silent is given up after 15 s, with all that was asked of it. Throws AppError.
   */
  whileItLives<T>(asked: Promise<T>): Promise<T>
  /** Since when none came, in seconds since 1970; null while they come. */
  awaySince(): number | null
}

export type ReachDeps = {
  sql: Database
  /** Seconds since 1970. */
  now: () => number
  /** Milliseconds by a clock that never jumps. */
  nowMs: () => number
  every: (seconds: number, run: () => void) => () => void
  log: Log
  /** From so long a silence on, the database is away. */
  awayMs?: number
}

const AWAY_MS = 10_000
/** Tables with all ratings may have to be changed. */
const LONG_MS = 600_000
const LIFE_SECONDS = 5

export function createReach({ sql, now, nowMs, every, log, awayMs = AWAY_MS }: ReachDeps): Reach {
  let heardAtMs = nowMs()
  let heardAt = now()
  let isGone = false
  const see = (is: boolean) => {
    if (is !== isGone) log(is ? 'the shared database is away' : 'the shared database is back')
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
      // A question that is not answered has all connections replaced, and what was asked on them fails.
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
