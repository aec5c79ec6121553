import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { UserRow } from '#lib/contract/answers/users.ts'
import type { UsersQuery } from '#lib/contract/other-queries.ts'
import type { ReadOptions, Rows } from './archive.ts'
import {
  distanceInNanos,
  OTHERS_MIN,
  roundedQuotient,
  toMeanDistance,
} from './consensus-distance.ts'
import type { Engine } from './duckdb-engine.ts'
import { isActive } from './rating-conditions.ts'
import { selectWeeks } from './select-weeks.ts'
import type { Tables } from './tables.ts'
import { toWilsonLow, wilsonLow } from './wilson.ts'

/** What counts as recent. */
export const RECENT_SECONDS = 90 * 86_400

/** How many ratings without any bias are imagined beside a member's own, so that few of them lead neither end. */
const UNBIASED = 10

/**
 * The members who had rated by `at` and whose number begins with `q`, by the query's column, what has no value last, ties
 * by number. `agreement` is the lower bound that is shown; `bias` is drawn towards 0 by {@link UNBIASED} imagined ratings.
 */
export async function selectUsers(
  engine: Engine,
  query: UsersQuery,
  { at, signal }: ReadOptions,
): Promise<Rows<UserRow>> {
  const [total, rows] = await Promise.all([
    engine.read((db) => countUsers(db, query, at), signal),
    engine.read((db) => selectPage(db, query, at), signal),
  ])
  const activity = await selectWeeks(
    engine,
    rows.map((row) => row.user_id),
    { at, signal },
  )
  return {
    rows: rows.map(({ bias_nanos, ...row }) => ({
      ...row,
      activity: activity(row.user_id),
      agreement_low: toWilsonLow(row.agree, row.agree + row.disagree),
      bias: bias_nanos === null ? null : toMeanDistance(BigInt(bias_nanos), row.bias_n),
    })),
    total,
  }
}

const eb = expressionBuilder<Tables, 'rating'>()

/** By `at` (seconds), and of a member whose number begins with `q`. */
const isOfLeague = (q: string, at: number): Expression<SqlBool> =>
  eb.and([
    eb('created_at', '<=', at),
    q === ''
      ? eb.lit(true)
      : sql<boolean>`position(cast(${q} as text) in cast(user_id as text)) = 1`,
  ])

async function countUsers(db: Kysely<Tables>, { q }: UsersQuery, at: number): Promise<number> {
  const row = await db
    .selectFrom('rating')
    .select((eb) => eb.fn.count<number>('user_id').distinct().as('total'))
    .where(isOfLeague(q, at))
    .executeTakeFirstOrThrow()
  return row.total
}

const selectTally = (db: Kysely<Tables>, { q }: UsersQuery, at: number) =>
  db
    .selectFrom('rating')
    .select((eb) => [
      'user_id',
      eb.fn.countAll<number>().as('ratings'),
      eb.fn.countAll<number>().filterWhere(isActive(at)).as('active'),
      // A member's first rating of a symbol has none before it.
      eb.fn.countAll<number>().filterWhere('previous_rating', 'is', null).as('symbols'),
      eb.fn
        .countAll<number>()
        .filterWhere('created_at', '>', at - RECENT_SECONDS)
        .as('recent'),
      eb.fn.sum<number>('tally_agree').as('agree'),
      eb.fn.sum<number>('tally_disagree').as('disagree'),
      eb.fn.max('created_at').as('last_created_at'),
    ])
    .where(isOfLeague(q, at))
    .groupBy('user_id')

/**
 * Each member's active ratings against the others' on their symbols. A member has at most one active rating on a symbol,
 * so the others are all but one.
 */
export const selectBias = (db: Kysely<Tables>, at: number) =>
  db
    .with('standing', (rest) =>
      rest.selectFrom('rating').select(['user_id', 'symbol_key', 'rating']).where(isActive(at)),
    )
    .with('crowd', (rest) =>
      rest
        .selectFrom('standing')
        .select((eb) => [
          'symbol_key',
          eb.fn.countAll<number>().as('size'),
          eb.fn.sum<number>('rating').as('rating_sum'),
        ])
        .groupBy('symbol_key')
        .having((eb) => eb(eb.fn.countAll<number>(), '>', OTHERS_MIN)),
    )
    .selectFrom('standing')
    .innerJoin('crowd', 'crowd.symbol_key', 'standing.symbol_key')
    .select((eb) => {
      const others = {
        count: sql<number>`(${eb.ref('size')} - 1)`,
        sum: sql<number>`(${eb.ref('rating_sum')} - ${eb.ref('rating')})`,
      }
      return [
        'user_id',
        eb.fn.countAll<number>().as('bias_n'),
        sql<number>`sum(${distanceInNanos(eb.ref('rating'), others)})`.as('bias_nanos'),
      ]
    })
    .groupBy('user_id')

async function selectPage(db: Kysely<Tables>, query: UsersQuery, at: number) {
  const { sort, page, per_page: perPage } = query
  return await db
    .with('tally', () => selectTally(db, query, at))
    .with('leaning', () => selectBias(db, at))
    .selectFrom('tally')
    .leftJoin('leaning', 'leaning.user_id', 'tally.user_id')
    .select((eb) => [
      'tally.user_id',
      'ratings',
      'active',
      'symbols',
      'recent',
      'agree',
      'disagree',
      sql<string | null>`cast(bias_nanos as text)`.as('bias_nanos'),
      eb.fn.coalesce('bias_n', eb.lit(0)).as('bias_n'),
      'last_created_at',
    ])
    .orderBy(
      (eb) => {
        if (sort.column === 'agreement')
          return wilsonLow(eb.ref('agree'), sql`(${eb.ref('agree')} + ${eb.ref('disagree')})`)
        if (sort.column === 'bias')
          return roundedQuotient(
            eb.ref('bias_nanos'),
            sql`(${eb.ref('bias_n')} + ${sql.lit(UNBIASED)})`,
          )
        return eb.ref(sort.column === 'user_id' ? 'tally.user_id' : sort.column)
      },
      (item) => (sort.direction === 'desc' ? item.desc() : item.asc()).nullsLast(),
    )
    .orderBy('tally.user_id')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
}
