import { type Kysely, sql } from 'kysely'
import { CHANGE_DAYS, PENDING_DAYS } from '#lib/contract/answers/opinion.ts'
import type { ActiveSum } from './consensus-change.ts'
import { isActive } from './rating-conditions.ts'
import type { Tables } from './tables.ts'

const DAY_SECONDS = 86_400

type Asked = { key: string; at: number }

/** The ratings of a symbol that existed at `at`. Null where there was none. */
export async function selectKnown(db: Kysely<Tables>, { key, at }: Asked) {
  const row = await db
    .selectFrom('rating')
    .select((eb) => [
      eb
        .selectFrom('symbol')
        .select((symbol) => symbol.fn.min<string | null>('symbol').as('symbol'))
        .where('symbol_key', '=', key)
        .as('symbol'),
      eb.fn.countAll<number>().as('ratings'),
      // A member's first rating of a symbol has none before it.
      eb.fn.countAll<number>().filterWhere('previous_rating', 'is', null).as('users'),
      eb.fn.min('created_at').as('first_created_at'),
      eb.fn.max('created_at').as('last_created_at'),
    ])
    .where('symbol_key', '=', key)
    .where('created_at', '<=', at)
    .executeTakeFirstOrThrow()
  const { symbol, ...facts } = row
  if (symbol === null || row.ratings === 0) return null
  const last_user_id = await selectLastUser(db, { key, at: row.last_created_at })
  return { symbol, ...facts, last_user_id }
}

/**
 * The active sets of so many days before `at`, in the order of {@link CHANGE_DAYS}. What had ended before the first of
 * them is left out by the engine without being read: most of a symbol's ratings.
 */
export async function selectBefore(db: Kysely<Tables>, { key, at }: Asked): Promise<ActiveSum[]> {
  const instants = CHANGE_DAYS.map((days) => at - days * DAY_SECONDS)
  const row = await db
    .selectFrom('rating')
    .select((eb) =>
      instants.flatMap((instant, place) => [
        eb.fn.countAll<number>().filterWhere(isActive(instant)).as(`active${place}`),
        eb.fn.sum<number | null>('rating').filterWhere(isActive(instant)).as(`sum${place}`),
      ]),
    )
    .where('symbol_key', '=', key)
    .where('created_at', '<=', Math.max(...instants))
    .where('effective_until', '>', Math.min(...instants))
    .executeTakeFirstOrThrow()
  return instants.map((_, place) => ({
    active: row[`active${place}`] ?? 0,
    sum: row[`sum${place}`] ?? null,
  }))
}

/** Who posted last: of those within a second, the highest id. */
async function selectLastUser(db: Kysely<Tables>, { key, at }: Asked): Promise<number> {
  const { user_id } = await db
    .selectFrom('rating')
    .select('user_id')
    .where('symbol_key', '=', key)
    .where('created_at', '=', at)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return user_id
}

/** How much a rating counts among those that are weighted by agreement. */
export const AGREEMENT_WEIGHT = sql<number>`greatest(cast(1 as bigint) + tally_agree - tally_disagree, 0)`

const quartile = (share: '0.25' | '0.5' | '0.75') => sql<string | null>`
  percentile_disc(${sql.raw(share)}) within group (order by prediction_value)`

/** What the active ratings add up to; all but the count null over nothing. */
export async function selectActiveFigures(db: Kysely<Tables>, { key, at }: Asked) {
  return await db
    .selectFrom('rating')
    .select((eb) => [
      eb.fn.countAll<number>().as('active'),
      eb.fn.sum<number | null>('rating').as('sum'),
      eb.fn.sum<number | null>(sql`cast(rating as integer) * rating`).as('squares'),
      eb.fn.sum<string | null>('prediction_value').as('prediction'),
      eb.fn.sum<number | null>(AGREEMENT_WEIGHT).as('weight'),
      eb.fn.sum<number | null>(sql`rating * ${AGREEMENT_WEIGHT}`).as('weighted'),
      eb.fn.min<string | null>('prediction_value').as('low'),
      quartile('0.25').as('q1'),
      quartile('0.5').as('median'),
      quartile('0.75').as('q3'),
      eb.fn.max<string | null>('prediction_value').as('high'),
      eb.fn.sum<number | null>('tally_agree').as('agree'),
      eb.fn.sum<number | null>('tally_disagree').as('disagree'),
    ])
    .where('symbol_key', '=', key)
    .where(isActive(at))
    .executeTakeFirstOrThrow()
}

export type ActiveFigures = Awaited<ReturnType<typeof selectActiveFigures>>

/**
 * The active ratings, counted by rating, action and the day (1 is the first 24 hours after `at`) by whose end they will
 * have expired of themselves; null where that is beyond the days that are looked at. What follows on a rating after `at`
 * is no lapse, and was not known then.
 */
export async function selectActiveLines(db: Kysely<Tables>, { key, at }: Asked) {
  const day = sql.lit(DAY_SECONDS)
  const lapsesIn = sql<number | null>`
    case when expired_at > 0 and expired_at <= ${sql.lit(at + PENDING_DAYS * DAY_SECONDS)}
      then cast(floor((expired_at - ${sql.lit(at)} + ${day} - 1) / ${day}) as integer)
    end`
  return await db
    .selectFrom('rating')
    .select((eb) => [
      'rating',
      'action',
      lapsesIn.as('lapses_in'),
      eb.fn.countAll<number>().as('count'),
    ])
    .where('symbol_key', '=', key)
    .where(isActive(at))
    .groupBy(['rating', 'action', 'lapses_in'])
    .execute()
}

export type ActiveLine = Awaited<ReturnType<typeof selectActiveLines>>[number]
