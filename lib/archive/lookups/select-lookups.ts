import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ListRows, ListSource, SourceField } from '#lib/archive/lists/select-list.ts'
import type { ArchiveReader } from '#lib/archive/reader.ts'
import type { LookupRow } from '#lib/contract/answers/lookups.ts'
import { type LookupsQuery, lookupList } from '#lib/contract/lists/lookups.ts'

const named = (name: 'symbol' | 'source' | 'room'): SourceField => ({
  key: `${name}_no`,
  toKeys: (values) => sql`(
    select ${sql.ref(`${name}_no`)} from ${sql.table(`lookups.${name}`)}
    where ${sql.ref(name)} in (${sql.join(values)}))`,
  value: sql`(
    select ${sql.ref(name)} from ${sql.table(`lookups.${name}`)}
    where ${sql.ref(`${name}_no`)} = key)`,
})

const FIELDS = { symbol: named('symbol'), source: named('source'), room_id: named('room') }

const withNames = (placed: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select placed.*, symbol, source, room as room_id
  from ${placed} as placed
    join lookups.symbol using (symbol_no)
    left join lookups.source using (source_no)
    left join lookups.room using (room_no))`

async function loadRows(db: Kysely<Tables>, placed: RawBuilder<unknown>): Promise<LookupRow[]> {
  const { rows } = await sql<LookupRow>`
    select id, symbol, source, room_id, created_at from ${withNames(placed)} as named
    order by place`.execute(db)
  return rows
}

/** Null before the first import. */
export function lookupRows(
  reader: Pick<ArchiveReader, 'lookups'>,
  query: LookupsQuery,
): ListRows<typeof lookupList> | null {
  const { edition, firstCreatedAt: first, lastCreatedAt: last } = reader.lookups()
  if (edition === null) return null
  const source: ListSource = {
    from: sql`lookups.lookup`,
    fields: FIELDS,
    where: query.asof === null ? [] : [sql`created_at <= ${sql.lit(query.asof)}`],
    ties: (direction) =>
      ['created_at', 'id', 'rowid'].map((name) => sql`${sql.ref(name)} ${direction} nulls last`),
  }
  return {
    list: lookupList,
    source,
    query,
    load: loadRows,
    toTyped: (columns, placed) => sql`
      select ${sql.join(columns.map((name) => sql.ref(name)))} from ${withNames(placed)} as named
      order by place`,
    span: first === null || last === null ? null : { first, last },
  }
}
