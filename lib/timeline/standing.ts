import { CONSENSUS_MIN, UNMOVED } from '#lib/contract/answers/limits.ts'
import type { Ended } from '#lib/contract/answers/ratings.ts'
import { toMean } from '#lib/statistics/exact.ts'
import { type Timeline, visitActive } from './timeline.ts'

export type ActiveSum = { active: number; sum: number | null }

export const NOTHING_ACTIVE: ActiveSum = { active: 0, sum: null }

export function activeSumAt(timeline: Timeline, at: number): ActiveSum {
  let [active, sum] = [0, 0]
  visitActive(timeline, at, (index) => {
    active += 1
    sum += timeline.rating[index] ?? 0
  })
  return active === 0 ? NOTHING_ACTIVE : { active, sum }
}

export const toConsensus = ({ active, sum }: ActiveSum) => ({
  active,
  consensus: toMean(sum, active, 4),
})

/**
 * Exact difference, rounded once to 4 places. Null if fewer than CONSENSUS_MIN ratings were active
 * at either end.
 */
export const toChange = (before: ActiveSum, after: ActiveSum): string | null =>
  toWeightedChange(before, after, () => [1n, 1n])

/** change · n / (n + UNMOVED), where n is the smaller count of the two ends. */
export const toShrunkChange = (before: ActiveSum, after: ActiveSum): string | null =>
  toWeightedChange(before, after, (fewer) => [fewer, fewer + BigInt(UNMOVED)])

function toWeightedChange(
  before: ActiveSum,
  after: ActiveSum,
  toWeight: (fewer: bigint) => readonly [times: bigint, over: bigint],
): string | null {
  if (before.active < CONSENSUS_MIN || after.active < CONSENSUS_MIN) return null
  const [b, a] = [BigInt(before.active), BigInt(after.active)]
  const difference = BigInt(after.sum ?? 0) * b - BigInt(before.sum ?? 0) * a
  const [times, over] = toWeight(b < a ? b : a)
  return toMean(difference * times, a * b * over, 4)
}

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
