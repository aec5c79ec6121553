import type { Ended } from '#lib/contract/answers/ratings.ts'

export function toState(
  row: { created_at: number; effective_until: number },
  at: number,
): 'active' | 'expired' | null {
  if (row.effective_until <= at) return 'expired'
  return row.created_at <= at ? 'active' : null
}

/** `expired_at`: null or 0 if the rating never expires. */
type Ending = { expired_at: number | null; effective_until: number; vanished_at: number | null }

/** Null if the rating had not ended by `at`. */
export function toEnded(
  { expired_at, effective_until: until, vanished_at }: Ending,
  at: number,
): Ended {
  if (until > at) return null
  if (until === (expired_at || null)) return 'expired'
  return until === vanished_at ? 'vanished' : 'renewed'
}
