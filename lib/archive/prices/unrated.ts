import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ArchiveReader } from '#lib/archive/reader.ts'

type Unrated = { symbols: number; examples: { symbol: string; similar: string | null }[] }

/** `similar`: `AAPL` for `AAPL.US`. */
export async function selectUnrated(
  reader: Pick<ArchiveReader, 'read' | 'prices'>,
  limit: number,
): Promise<Unrated> {
  if (reader.prices().prices === 0) return { symbols: 0, examples: [] }
  return await reader.read((db) => selectExamples(db, limit))
}

async function selectExamples(db: Kysely<Tables>, limit: number): Promise<Unrated> {
  const { rows } = await sql<{ symbol: string; similar: string | null; symbols: number }>`
    with rated as (select distinct symbol_key from rating),
      unrated as (select distinct symbol_key from prices.price anti join rated using (symbol_key))
    select unrated.symbol_key as symbol, rated.symbol_key as similar, count(*) over () as symbols
    from unrated left join rated
      on rated.symbol_key = regexp_extract(unrated.symbol_key, '^([^._: -]+)[._: -]', 1)
    where exists (from rated)
    order by unrated.symbol_key limit ${sql.lit(limit)}`.execute(db)
  const examples = rows.map(({ symbol, similar }) => ({ symbol, similar }))
  return { symbols: rows[0]?.symbols ?? 0, examples }
}
