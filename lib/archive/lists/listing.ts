import { sql } from 'kysely'
import type { ArchiveReader, ReadOptions, Rows } from '#lib/archive/reader.ts'

/** Seconds since 1970. */
export type ListedPage = { name: string; last_created_at: number }

export type ListingRange = { kind: 'symbol' | 'user'; offset: number; limit: number }

export async function selectListed(
  reader: ArchiveReader,
  { kind, offset, limit }: ListingRange,
  { at, signal }: ReadOptions,
): Promise<Rows<ListedPage>> {
  const column = kind === 'symbol' ? 'symbol_key' : 'user_id'
  return await reader.read(async (db) => {
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
