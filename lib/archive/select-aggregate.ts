import type { Kysely } from 'kysely'
import type { Aggregate } from '#lib/contract/answers/symbols.ts'
import { parseInstant, toInstantText } from '#lib/contract/instant-text.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { ReadOptions, SymbolSummary } from './archive.ts'
import { toMillionths } from './decimal.ts'
import type { Engine } from './duckdb-engine.ts'
import { toMean, toMillionthsMean, toRatio } from './mean.ts'
import { isActive } from './rating-conditions.ts'
import type { Tables } from './tables.ts'

const DAY_SECONDS = 86_400

/**
 * One symbol: its active ratings at the last second of `day` (UTC), which for today or null is `at`, and its
 * ratings over all time. Null where nobody ever rated it.
 */
export async function selectAggregate(
  engine: Engine,
  asked: { symbol: string; day: string | null },
  { at, signal }: ReadOptions,
): Promise<SymbolSummary | null> {
  const today = toInstantText(at - (at % DAY_SECONDS))
  const day = asked.day ?? today
  const instant = day === today ? at : (parseInstant(day) ?? 0) + DAY_SECONDS - 1
  const key = toSymbolKey(asked.symbol)
  const [summary, lines] = await Promise.all([
    engine.read((db) => selectSummary(db, key), signal),
    engine.read((db) => selectLines(db, key, instant), signal),
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
      // A member's first rating of a symbol has none before it.
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

function toAggregate(lines: readonly Line[]): Omit<Aggregate, 'day' | 'symbol'> {
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
