import type { Ended } from '#lib/contract/answers/ratings.ts'

/** The state of a rating at `at`; null if it is not posted yet. */
export function toState(
  row: { created_at: number; effective_until: number },
  at: number,
): 'active' | 'expired' | null {
  if (row.effective_until <= at) return 'expired'
  return row.created_at <= at ? 'active' : null
}

/** When a rating expires by itself (null or 0: never), when it ended, and when it vanished. */
type Ending = { expired_at: number | null; effective_until: number; vanished_at: number | null }

/** What ended a rating by `at`: the first of the possible reasons. Null if nothing had. */
export function toEnded(
  { expired_at, effective_until: until, vanished_at }: Ending,
  at: number,
): Ended {
  if (until > at) return null
  if (until === (expired_at || null)) return 'expired'
  return until === vanished_at ? 'vanished' : 'renewed'
}
