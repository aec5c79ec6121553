import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { type ActiveSum, toChange } from '#lib/archive/query/consensus.ts'
import { isActive } from '#lib/archive/query/rating-conditions.ts'
import { tallyLabelled } from '#lib/archive/query/tally.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import { CAUSE_DAYS } from '#lib/contract/answers/limits.ts'
import {
  CHANGE_DAYS,
  CLIFF_DAYS,
  type Opinion,
  PENDING_DAYS,
} from '#lib/contract/answers/opinion.ts'
import type { UnnamedAggregate } from '#lib/contract/answers/symbols.ts'
import { parseInstant, toInstantText } from '#lib/contract/instant-text.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  toDeviation,
  toMean,
  toMillionths,
  toMillionthsMean,
  toRankingBounds,
  toRatio,
  toWilsonLow,
} from '#lib/statistics/exact.ts'
import { selectCauses, toCauses } from './change-causes.ts'

const DAY_SECONDS = 86_400

/** What a community thinks of a symbol at `at`. Null where nobody had rated it by then. */
export async function selectOpinion(
  reader: ArchiveReader,
  symbol: string,
  { at, signal }: ReadOptions,
): Promise<Opinion | null> {
  const { labels } = reader.known()
  const asked = { key: toSymbolKey(symbol), at }
  const then = at - CAUSE_DAYS * DAY_SECONDS
  const [known, before, figures, lines, causes] = await Promise.all([
    reader.read((db) => selectKnown(db, asked), signal),
    reader.read((db) => selectBefore(db, asked), signal),
    reader.read((db) => selectActiveFigures(db, asked), signal),
    reader.read((db) => selectActiveLines(db, asked), signal),
    reader.read((db) => selectCauses(db, { ...asked, then }), signal),
  ])
  if (!known) return null
  const after = { active: figures.active, sum: figures.sum }
  return {
    ...known,
    ...toFigures(figures),
    by_rating: tallyLabelled(lines, ({ rating }) => rating, labels.rating),
    by_action: tallyLabelled(lines, ({ action }) => action, labels.action),
    changes: CHANGE_DAYS.map((days, index) => {
      const past = before[index] ?? NOTHING
      return { days, ...toConsensus(past), change: toChange(past, after) }
    }),
    causes: toCauses(causes, { before: before[CHANGE_DAYS.indexOf(CAUSE_DAYS)] ?? NOTHING, after }),
    cliff: CLIFF_DAYS.map((days) => ({
      days,
      lapsing: figures.active - selectLeft(lines, days).active,
      ...toConsensus(selectLeft(lines, days)),
    })),
    pending: Array.from({ length: PENDING_DAYS + 1 }, (_, days) => ({
      t: at + days * DAY_SECONDS,
      ...toConsensus(selectLeft(lines, days)),
    })),
  }
}

const NOTHING: ActiveSum = { active: 0, sum: null }

const toConsensus = ({ active, sum }: ActiveSum) => ({ active, consensus: toMean(sum, active, 4) })

function toFigures(figures: ActiveFigures) {
  const { active, sum, squares, prediction, weight, agree, disagree, ...predictions } = figures
  const sums = { count: active, sum: sum ?? 0, squares: squares ?? 0 }
  const bounds = toRankingBounds(sums)
  return {
    ...toConsensus({ active, sum }),
    consensus_low: bounds.low,
    consensus_high: bounds.high,
    weighted: toMean(figures.weighted, weight ?? 0, 4),
    dispersion: toDeviation(sums),
    prediction: {
      mean: toMean(prediction, active, 4),
      low: predictions.low,
      q1: predictions.q1,
      median: predictions.median,
      q3: predictions.q3,
      high: predictions.high,
    },
    agree: agree ?? 0,
    disagree: disagree ?? 0,
    agreement_low: toWilsonLow(agree ?? 0, (agree ?? 0) + (disagree ?? 0)),
  }
}

/** The active ratings that will not have expired so many days on, if nobody posts or renews. */
function selectLeft(lines: readonly ActiveLine[], days: number): ActiveSum {
  let [active, sum] = [0, 0]
  for (const { rating, expires_in, count } of lines) {
    if (expires_in !== null && expires_in <= days) continue
    active += count
    sum += rating * count
  }
  return { active, sum }
}

type Asked = { key: string; at: number }

/** The ratings of a symbol that existed at `at`. Null where there was none. */
async function selectKnown(db: Kysely<Tables>, { key, at }: Asked) {
  const row = await db
    .selectFrom('rating')
    .select((eb) => [
      eb
        .selectFrom('symbol')
        .select((symbol) => symbol.fn.min<string | null>('symbol').as('symbol'))
        .where('symbol_key', '=', key)
        .as('symbol'),
      eb.fn.countAll<number>().as('ratings'),
      // A user's first rating of a symbol has none before it.
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
async function selectBefore(db: Kysely<Tables>, { key, at }: Asked): Promise<ActiveSum[]> {
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
async function selectActiveFigures(db: Kysely<Tables>, { key, at }: Asked) {
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

type ActiveFigures = Awaited<ReturnType<typeof selectActiveFigures>>

/**
 * The active ratings, counted by rating, action and the day (1 is the first 24 hours after `at`) by whose end they will
 * have expired of themselves; null where that is beyond the days that are looked at. What follows on a rating after `at`
 * is no expiry, and was not known then.
 */
async function selectActiveLines(db: Kysely<Tables>, { key, at }: Asked) {
  const day = sql.lit(DAY_SECONDS)
  const expiresIn = sql<number | null>`
    case when expired_at > 0 and expired_at <= ${sql.lit(at + PENDING_DAYS * DAY_SECONDS)}
      then cast(floor((expired_at - ${sql.lit(at)} + ${day} - 1) / ${day}) as integer)
    end`
  return await db
    .selectFrom('rating')
    .select((eb) => [
      'rating',
      'action',
      expiresIn.as('expires_in'),
      eb.fn.countAll<number>().as('count'),
    ])
    .where('symbol_key', '=', key)
    .where(isActive(at))
    .groupBy(['rating', 'action', 'expires_in'])
    .execute()
}

type ActiveLine = Awaited<ReturnType<typeof selectActiveLines>>[number]

export type SymbolSummary = {
  aggregate: UnnamedAggregate
  ratings: number
  users: number
  firstCreatedAt: number
  lastCreatedAt: number
}

/**
 * One symbol: its active ratings at the last second of `day` (UTC), which for today or null is `at`, and its
 * ratings over all time. Null where nobody ever rated it.
 */
export async function selectAggregate(
  reader: ArchiveReader,
  asked: { symbol: string; day: string | null },
  { at, signal }: ReadOptions,
): Promise<SymbolSummary | null> {
  const today = toInstantText(at - (at % DAY_SECONDS))
  const day = asked.day ?? today
  const instant = day === today ? at : (parseInstant(day) ?? 0) + DAY_SECONDS - 1
  const key = toSymbolKey(asked.symbol)
  const [summary, lines] = await Promise.all([
    reader.read((db) => selectSummary(db, key), signal),
    reader.read((db) => selectLines(db, key, instant), signal),
  ])
  const { symbol, ...known } = summary
  if (symbol === null) return null
  return { aggregate: { day, symbol, ...toAggregate(lines) }, ...known }
}

async function selectSummary(db: Kysely<Tables>, key: string) {
  return await db
    .selectFrom('rating')
    .select((eb) => [
      eb.fn.min<string | null>('symbol').as('symbol'),
      eb.fn.countAll<number>().as('ratings'),
      // A user's first rating of a symbol has none before it.
      eb.fn.countAll<number>().filterWhere('previous_rating', 'is', null).as('users'),
      eb.fn.min('created_at').as('firstCreatedAt'),
      eb.fn.max('created_at').as('lastCreatedAt'),
    ])
    .where('symbol_key', '=', key)
    .executeTakeFirstOrThrow()
}

/** The active ratings, counted by rating and action together. */
async function selectLines(db: Kysely<Tables>, key: string, instant: number) {
  return await db
    .selectFrom('rating')
    .select((eb) => [
      'rating',
      'action',
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<string>('prediction_value').as('prediction'),
    ])
    .where('symbol_key', '=', key)
    .where(isActive(instant))
    .groupBy(['rating', 'action'])
    .execute()
}

type Line = Awaited<ReturnType<typeof selectLines>>[number]

function toAggregate(lines: readonly Line[]): Omit<UnnamedAggregate, 'day' | 'symbol'> {
  const count = (passes: (line: Line) => boolean) =>
    lines.reduce((sum, line) => (passes(line) ? sum + line.count : sum), 0)
  const total = count(() => true)
  const ratings = lines.reduce((sum, line) => sum + line.rating * line.count, 0)
  const units = lines.reduce((sum, line) => sum + toMillionths(line.prediction), 0n)
  const rated = (code: number) => String(count((line) => line.rating === code))
  const acted = (code: number) => count((line) => line.action === code)
  return {
    total: String(total),
    avg_rating: toMean(ratings, total, 4),
    avg_prediction: toMillionthsMean(units, total, 6),
    r1: rated(1),
    r2: rated(2),
    r3: rated(3),
    r4: rated(4),
    r5: rated(5),
    a1: String(acted(1)),
    a2: String(acted(2)),
    a3: String(acted(3)),
    a4: String(acted(4)),
    a1_ratio: toRatio(acted(1), total),
    a2_ratio: toRatio(acted(2), total),
    a3_ratio: toRatio(acted(3), total),
    a4_ratio: toRatio(acted(4), total),
  }
}
