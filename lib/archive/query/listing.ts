import { sql } from 'kysely'
import type { ListedPage, ReadOptions, Rows } from '#lib/archive/archive.ts'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'

export type Listed = { kind: 'symbol' | 'user'; offset: number; limit: number }

/** Of every symbol, or every user, that had been rated or had rated by `at`: a stretch in the order of their names. */
export async function selectListed(
  engine: Engine,
  { kind, offset, limit }: Listed,
  { at, signal }: ReadOptions,
): Promise<Rows<ListedPage>> {
  const column = kind === 'symbol' ? 'symbol_key' : 'user_id'
  return await engine.read(async (db) => {
    const known = db.selectFrom('rating').where('created_at', '<=', at)
    const { total } = await known
      .select(sql<number>`count(distinct ${sql.ref(column)})`.as('total'))
      .executeTakeFirstOrThrow()
    if (offset >= total || limit === 0) return { rows: [], total }
    const names = known
      .select((eb) => [`${column} as key`, eb.fn.max<number>('created_at').as('last_created_at')])
      .groupBy(column)
      .orderBy(column)
      .offset(offset)
      .limit(limit)
    const rows =
      kind === 'user'
        ? await db
            .selectFrom(names.as('listed'))
            .select([sql<string>`cast(key as text)`.as('name'), 'last_created_at'])
            .orderBy('key')
            .execute()
        : await db
            .selectFrom(names.as('listed'))
            .innerJoin('symbol', (join) => join.on(sql<boolean>`symbol.symbol_key = listed.key`))
            .select(['symbol.symbol as name', 'last_created_at'])
            .orderBy('key')
            .execute()
    return { rows, total }
  }, signal)
}

/** How many letters may be wrong in a name of that length, for it to be taken for a slip. */
const toSlips = (name: string) => (name.length < 5 ? 1 : name.length < 9 ? 2 : 3)

/** Names that only begin alike are worth a look where they share so many letters. */
const BEGINNING = 2

/**
 * Symbols that somebody who wrote `asked` may have meant, the likeliest first: those that few letters tell from it (a
 * swap of neighbours is one), then those that go on where it ends, then those that begin alike; of these the most rated.
 * `close` are the first ones.
 */
export async function selectNear(
  engine: Engine,
  { asked, limit }: { asked: string; limit: number },
  { at, signal }: ReadOptions,
) {
  const key = toSymbolKey(asked)
  const slips = sql`damerau_levenshtein(symbol.symbol_key, ${key})`
  const rank = sql<number>`cast(case
    when ${slips} <= ${sql.lit(toSlips(key))} then ${slips}
    when starts_with(symbol.symbol_key, ${key}) then 10
    else 20 end as integer)`
  const begins = sql<boolean>`starts_with(symbol.symbol_key, ${key.slice(0, BEGINNING)})`
  const close = sql<boolean>`${slips} <= ${sql.lit(toSlips(key))}`
  return await engine.read(
    (db) =>
      db
        .selectFrom('symbol')
        .innerJoin('rating', 'rating.symbol_key', 'symbol.symbol_key')
        .select((eb) => [
          'symbol.symbol as symbol',
          eb.fn.countAll<number>().as('ratings'),
          close.as('close'),
        ])
        .where('rating.created_at', '<=', at)
        .where('symbol.symbol_key', '<>', key)
        .where((eb) => eb.or([close, begins]))
        .groupBy(['symbol.symbol_key', 'symbol.symbol'])
        .orderBy(rank)
        .orderBy('ratings', 'desc')
        .orderBy('symbol.symbol_key')
        .limit(limit)
        .execute(),
    signal,
  )
}
