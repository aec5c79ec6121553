import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import { CAUSES, ENDED_IDS_MAX, type Opinion } from '#lib/contract/answers/opinion.ts'
import type { ActiveSum } from './consensus.ts'
import { isActive } from './rating-conditions.ts'
import { toMean } from './statistics.ts'

type Asked = { key: string; then: number; at: number }

/** The ratings of one cause: what they say now and what the same users said then; null over nothing. */
type CauseSums = {
  cause: Opinion['causes'][number]['cause']
  count: number
  now_sum: number | null
  then_sum: number | null
  /** Users who were not active then, and who are not active now. */
  came: number
  went: number
  /** Separated by commas; null where there are none, or too many. */
  ids: string | null
}

/**
 * What is active now and was not then, by the label that it came with, and who was active then and is not now. A user has
 * at most one active rating on a symbol.
 */
export async function selectCauses(
  db: Kysely<Tables>,
  { key, then, at }: Asked,
): Promise<CauseSums[]> {
  const [past, present] = [
    sql`filter (where ${isActive(then)})`,
    sql`filter (where ${isActive(at)})`,
  ]
  const { rows } = await sql<CauseSums>`
    with changed as (
      select
        max(id) ${past} as past_id, max(rating) ${past} as past_rating,
        max(id) ${present} as id, max(rating) ${present} as rating, max(action) ${present} as action
      from rating
      where symbol_key = ${key} and created_at <= ${at} and effective_until > ${then}
      group by user_id
      having past_id is distinct from id
    )
    select
      case when id is null then 'ended' when action = 1 then 'initiated'
        when action = 2 then 'upgraded' when action = 3 then 'downgraded'
        else 'repeated' end as cause,
      count(*) as count,
      sum(rating) as now_sum,
      sum(past_rating) as then_sum,
      count(*) filter (past_id is null) as came,
      count(*) filter (id is null) as went,
      case when went <= ${ENDED_IDS_MAX}
        then string_agg(past_id, ',' order by past_id) filter (id is null) end as ids
    from changed
    group by cause`.execute(db)
  return rows
}

/**
 * The parts of a change of the consensus, in the order of CAUSES; together they are the change. With the mean m of those
 * active then, n of them now: whoever was active at both gives what was added to the own rating, who came the rating less
 * m, who went m less the rating, each divided by n. None where the consensus is not compared.
 */
export function toCauses(
  sums: readonly CauseSums[],
  { before, after }: { before: ActiveSum; after: ActiveSum },
): Opinion['causes'] {
  if (before.active < CONSENSUS_MIN || after.active < CONSENSUS_MIN) return []
  const [b, a, sum] = [BigInt(before.active), BigInt(after.active), BigInt(before.sum ?? 0)]
  return CAUSES.flatMap((name) => {
    const own = sums.find(({ cause }) => cause === name)
    if (!own) return []
    const { count, came, went, ids } = own
    const added = BigInt(own.now_sum ?? 0) - BigInt(own.then_sum ?? 0)
    const effect = toMean(added * b + BigInt(went - came) * sum, a * b, 4) ?? '0.0000'
    return [{ cause: name, count, effect, ids: ids?.split(',').map(Number) ?? [] }]
  })
}
