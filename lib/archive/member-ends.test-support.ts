import { keyOf, type OracleRow } from './oracle.test-support.ts'

export const byTime = (a: OracleRow, b: OracleRow) => a.created_at - b.created_at || a.id - b.id

/** The member's ratings by `at`, in order, each with the member's next one on the symbol. */
export function ownRatings(rows: readonly OracleRow[], userId: number, at: number) {
  const own = rows.filter((row) => row.user_id === userId && row.created_at <= at).sort(byTime)
  return own.map((row, index) => ({
    row,
    next: own.slice(index + 1).find((later) => keyOf(later) === keyOf(row)),
  }))
}

/** How a rating had ended by `at`; null where it had not. */
export function endOf({ row, next }: ReturnType<typeof ownRatings>[number], at: number) {
  const expires = row.expired_at || Number.POSITIVE_INFINITY
  const until = Math.min(expires, row.vanished_at ?? Number.POSITIVE_INFINITY)
  if (Math.min(until, next?.created_at ?? Number.POSITIVE_INFINITY) > at) return null
  if (expires <= row.created_at) return 'never'
  if (!next) return 'lapsed'
  return next.created_at <= until ? 'renewed' : 'returned'
}

export const whyEnded = ({ expired_at, vanished_at }: OracleRow) =>
  vanished_at !== null && vanished_at < (expired_at || Number.POSITIVE_INFINITY)
    ? ('vanished' as const)
    : ('expired' as const)
