import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import { CAUSES, type Cause, ENDED_IDS_MAX, type Opinion } from '#lib/contract/answers/opinion.ts'
import { toMean } from '#lib/statistics/exact.ts'
import type { ActiveSum } from './standing.ts'
import { countPosted, type Timeline } from './timeline.ts'

/** Ratings with one cause: what they say now, and what the same users said then. */
type CauseSums = {
  count: number
  nowSum: number
  thenSum: number
  /** Users who were active then already. */
  stayed: number
  endedIds: number[]
}

type Ends = { before: ActiveSum; after: ActiveSum }

/**
 * The parts of the change of the consensus between two instants, in the order of CAUSES; together they are the change. With the
 * mean m of those active then and n of them now: a user active at both adds the change of the own rating, a user who came adds
 * the rating less m, a user who left adds m less the rating, each divided by n. Empty if the consensus is not compared.
 */
export function causesOf(
  timeline: Timeline,
  span: { from: number; to: number },
  { before, after }: Ends,
): Opinion['causes'] {
  if (before.active < CONSENSUS_MIN || after.active < CONSENSUS_MIN) return []
  const sums = sumByCause(timeline, span)
  const [b, a, sum] = [BigInt(before.active), BigInt(after.active), BigInt(before.sum ?? 0)]
  return CAUSES.flatMap((cause) => {
    const own = sums.get(cause)
    if (!own) return []
    const [came, went] = cause === 'ended' ? [0, own.count] : [own.count - own.stayed, 0]
    const added = BigInt(own.nowSum - own.thenSum)
    const effect = toMean(added * b + BigInt(went - came) * sum, a * b, 4) ?? '0.0000'
    const ids = own.endedIds.length > ENDED_IDS_MAX ? [] : own.endedIds.sort((x, y) => x - y)
    return [{ cause, count: own.count, effect, ids }]
  })
}

/**
 * A user has at most one active rating on a symbol, so a rating that is active at both instants changed nothing: each user is
 * left with at most one of then and one of now.
 */
function sumByCause(timeline: Timeline, { from, to }: { from: number; to: number }) {
  const { id, user, rating, action, created, until } = timeline
  const pairs = new Map<number, { past: number; present: number }>()
  const posted = countPosted(timeline, to)
  for (let index = 0; index < posted; index += 1) {
    const end = until[index] ?? 0
    const wasThen = (created[index] ?? 0) <= from
    if (end <= from || wasThen === end > to) continue
    const owner = user[index] ?? 0
    const pair = pairs.get(owner) ?? { past: -1, present: -1 }
    if (wasThen) pair.past = index
    else if (end > to) pair.present = index
    pairs.set(owner, pair)
  }
  const sums = new Map<Cause, CauseSums>()
  for (const { past, present } of pairs.values()) {
    const cause = present < 0 ? 'ended' : (BY_ACTION[action[present] ?? 0] ?? 'repeated')
    const own = sums.get(cause) ?? { count: 0, nowSum: 0, thenSum: 0, stayed: 0, endedIds: [] }
    sums.set(cause, own)
    own.count += 1
    own.nowSum += present < 0 ? 0 : (rating[present] ?? 0)
    if (past < 0) continue
    own.thenSum += rating[past] ?? 0
    own.stayed += 1
    if (present < 0) own.endedIds.push(id[past] ?? 0)
  }
  return sums
}

/** Any action that moves no rating repeats it. */
const BY_ACTION: Readonly<Record<number, Cause>> = {
  1: 'initiated',
  2: 'upgraded',
  3: 'downgraded',
}
