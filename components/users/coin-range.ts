import type { MemberRecord } from '#lib/contract/answers/user-record.ts'

/**
 * Between which shares (whole percent of `n`) 95 of 100 members come out whose moves a coin had drawn: the binomial's
 * normal approximation, half of the moves ∓ 1.96 · √moves / 2.
 */
export function toCoinRange({ n, towards, away }: MemberRecord['lead']): {
  low: number
  high: number
} {
  const moves = towards + away
  const half = (1.96 * Math.sqrt(moves)) / 2
  const toShare = (count: number) => Math.round((100 * Math.min(moves, Math.max(0, count))) / n)
  return { low: toShare(moves / 2 - half), high: toShare(moves / 2 + half) }
}
