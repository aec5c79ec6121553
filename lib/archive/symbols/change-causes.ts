import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ActiveSum } from '#lib/archive/query/consensus.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import { CAUSES, type Cause, ENDED_IDS_MAX, type Opinion } from '#lib/contract/answers/opinion.ts'
import { toMean } from '#lib/statistics/exact.ts'

type Asked = { key: string; then: number; at: number }

/** The ratings that came with one action, or that ended: what they say now and what the same users said then. */
type ActionSums = {
  /** Null where they ended. */
  action: number | null
  count: number
  /** Null over nothing. */
  now_sum: number | null
  then_sum: number | null
  /** Users who were active then already. */
  stayed: number
  /** Separated by commas, in no order; null where there are none, or too many. */
  ids: string | null
}

/**
 * What is active now and was not then, by the action that it came with, and who was active then and is not now. A user has
 * at most one active rating on a symbol, so ratings that are active at both instants are left out from the start: what
 * is left is little, and each user has at most two.
 */
export async function selectCauses(
  db: Kysely<Tables>,
  { key, then, at }: Asked,
): Promise<ActionSums[]> {
  const { rows } = await sql<ActionSums>`
    with moved as (
      select user_id, id, rating, action, created_at <= ${then} as was
      from rating
      where symbol_key = ${key} and created_at <= ${at} and effective_until > ${then}
        and (created_at <= ${then}) <> (effective_until > ${at})
    ),
    changed as (
      select
        max(id) filter (was) as past_id, max(rating) filter (was) as past_rating,
        max(rating) filter (not was) as rating, max(action) filter (not was) as action
      from moved
      group by user_id
    )
    select
      action,
      count(*) as count,
      sum(rating) as now_sum,
      sum(past_rating) as then_sum,
      count(past_id) as stayed,
      case when action is null and count(*) <= ${ENDED_IDS_MAX}
        then string_agg(past_id, ',') end as ids
    from changed
    group by action`.execute(db)
  return rows
}

/**
 * The parts of a change of the consensus, in the order of CAUSES; together they are the change. With the mean m of those
 * active then, n of them now: whoever was active at both gives what was added to the own rating, who came the rating less
 * m, who went m less the rating, each divided by n. None where the consensus is not compared.
 */
export function toCauses(
  sums: readonly ActionSums[],
  { before, after }: { before: ActiveSum; after: ActiveSum },
): Opinion['causes'] {
  if (before.active < CONSENSUS_MIN || after.active < CONSENSUS_MIN) return []
  const [b, a, sum] = [BigInt(before.active), BigInt(after.active), BigInt(before.sum ?? 0)]
  return CAUSES.flatMap((name) => {
    const own = sums.filter(({ action }) => toCause(action) === name)
    if (own.length === 0) return []
    const add = (pick: (one: ActionSums) => number | null) =>
      own.reduce((all, one) => all + (pick(one) ?? 0), 0)
    const count = add((one) => one.count)
    const [came, went] = name === 'ended' ? [0, count] : [count - add((one) => one.stayed), 0]
    const added = BigInt(add((one) => one.now_sum) - add((one) => one.then_sum))
    const effect = toMean(added * b + BigInt(went - came) * sum, a * b, 4) ?? '0.0000'
    return [{ cause: name, count, effect, ids: own.flatMap(({ ids }) => toIds(ids)) }]
  })
}

/** Whatever is none of the actions that move a rating repeats it. */
const BY_ACTION: Readonly<Record<number, Cause>> = {
  1: 'initiated',
  2: 'upgraded',
  3: 'downgraded',
}

const toCause = (action: number | null): Cause =>
  action === null ? 'ended' : (BY_ACTION[action] ?? 'repeated')

const toIds = (ids: string | null) =>
  ids === null
    ? []
    : ids
        .split(',')
        .map(Number)
        .sort((a, b) => a - b)
