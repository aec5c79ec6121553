import { CAUSE_DAYS, CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import { type Step, toLargestSteps, toWaterfall } from './moves/waterfall.ts'

const SIDES = { sell: [1, 2], hold: [3], buy: [4, 5] } as const
export type Side = keyof typeof SIDES

export const codesOf = (side: Side): readonly number[] => SIDES[side]

const SPLIT_SHARE = 0.25
const AGREED_SHARE = 0.75

const PAST_DAYS = CAUSE_DAYS
const AHEAD_DAYS = 30
const PARTS_NAMED = 2

/**
 * `change` has two decimal places and covers `days`; null if there are too few ratings. `stand` is
 * `split` if buy and sell each have a quarter, `agreed` if one side has three quarters, otherwise
 * null.
 */
export type Verdict = {
  code: number
  label: string
  consensus: string
  active: number
  days: number
  change: string | null
  /** Largest first. */
  parts: readonly Step[]
  ahead: number
  expiring: number
  stand:
    | { kind: 'split'; buy: number; sell: number }
    | { kind: 'agreed'; side: Side; count: number }
    | null
}

/** Null if fewer than CONSENSUS_MIN ratings are active. */
export function selectVerdict(opinion: Opinion): Verdict | null {
  const { active, consensus, changes, cliff, moves } = opinion
  if (consensus === null || active < CONSENSUS_MIN) return null
  const past = changes.find(({ days }) => days === PAST_DAYS)
  const moved =
    past !== undefined && past.active >= CONSENSUS_MIN && past.change ? toWaterfall(moves) : null
  const code = Math.floor(Number(consensus) + 0.5)
  return {
    code,
    label: ratingLabel(code),
    consensus,
    active,
    days: PAST_DAYS,
    change: moved?.change ?? null,
    parts: moved && Number(moved.change) !== 0 ? toLargestSteps(moved).slice(0, PARTS_NAMED) : [],
    ahead: AHEAD_DAYS,
    expiring: cliff.find(({ days }) => days === AHEAD_DAYS)?.lapsing ?? 0,
    stand: toStand(opinion),
  }
}

function toStand({ active, by_rating }: Opinion): Verdict['stand'] {
  const countOf = (side: Side) =>
    by_rating
      .filter(({ value }) => SIDES[side].some((code) => code === value))
      .reduce((sum, { count }) => sum + count, 0)
  const [buy, sell] = [countOf('buy'), countOf('sell')]
  if (Math.min(buy, sell) >= SPLIT_SHARE * active) return { kind: 'split', buy, sell }
  const side = (['buy', 'hold', 'sell'] as const).find(
    (one) => countOf(one) >= AGREED_SHARE * active,
  )
  return side ? { kind: 'agreed', side, count: countOf(side) } : null
}
