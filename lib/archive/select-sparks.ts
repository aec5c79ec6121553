import { type Expression, type Kysely, sql } from 'kysely'
import {
  CONSENSUS_MIN,
  SPARK_POINTS,
  SPARK_STEP_SECONDS,
  type SymbolRow,
} from '#lib/contract/answers/symbols.ts'
import type { ReadOptions } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import { toMean } from './mean.ts'
import type { Tables } from './tables.ts'

type Spark = SymbolRow['spark']

/** Ratings of a symbol that came into force, or ceased to be, between one instant of a spark and the one before. */
type Change = { symbol_key: string; step: number; count: number; sum: number }

/**
 * The consensus of symbols at the instants of a sparkline, the last of which is `at`; null where fewer than
 * CONSENSUS_MIN ratings were active. Two passes over what was posted and what ended, whatever the number of instants.
 */
export async function selectSparks(
  engine: Engine,
  keys: readonly string[],
  { at, signal }: ReadOptions,
): Promise<(key: string) => Spark> {
  if (keys.length === 0) return () => []
  const asked = { keys, at, first: at - (SPARK_POINTS - 1) * SPARK_STEP_SECONDS }
  const [posted, ended] = await Promise.all([
    engine.read((db) => selectChanges(db, asked, 'posted'), signal),
    engine.read((db) => selectChanges(db, asked, 'ended'), signal),
  ])
  const steps = new Map(keys.map((key) => [key, Array.from({ length: SPARK_POINTS }, nothing)]))
  const add = (changes: readonly Change[], sign: 1 | -1) => {
    for (const { symbol_key, step, count, sum } of changes) {
      const change = steps.get(symbol_key)?.[step]
      if (!change) continue
      change.count += sign * count
      change.sum += sign * sum
    }
  }
  add(posted, 1)
  add(ended, -1)
  return (key) => toSpark(steps.get(key) ?? [])
}

const nothing = () => ({ count: 0, sum: 0 })

function toSpark(steps: readonly { count: number; sum: number }[]): Spark {
  const active = nothing()
  return steps.map(({ count, sum }) => {
    active.count += count
    active.sum += sum
    return active.count < CONSENSUS_MIN ? null : toMean(active.sum, active.count, 4)
  })
}

type Asked = { keys: readonly string[]; at: number; first: number }

/** What had ended before the first instant was over by then. What ended before it was posted was never active. */
async function selectChanges(
  db: Kysely<Tables>,
  { keys, at, first }: Asked,
  kind: 'posted' | 'ended',
): Promise<Change[]> {
  return await db
    .selectFrom('rating')
    .select((eb) => [
      'symbol_key',
      toStep(eb.ref(kind === 'posted' ? 'created_at' : 'effective_until'), first).as('step'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('rating').as('sum'),
    ])
    .where('symbol_key', 'in', keys)
    .where('created_at', '<=', at)
    .where('effective_until', '>', first)
    .whereRef('effective_until', '>', 'created_at')
    .$if(kind === 'ended', (ratings) => ratings.where('effective_until', '<=', at))
    .groupBy(['symbol_key', 'step'])
    .execute()
}

/** The number of the first instant that is not before `instant`. */
const toStep = (instant: Expression<number>, first: number) => {
  const step = sql.lit(SPARK_STEP_SECONDS)
  const past = sql`greatest(${instant} - ${sql.lit(first)}, 0)`
  return sql<number>`cast(floor((${past} + ${step} - 1) / ${step}) as integer)`
}
