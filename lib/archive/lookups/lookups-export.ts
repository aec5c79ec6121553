import { type RawBuilder, sql } from 'kysely'
import { openPlacedExport, type PlacedExport } from '#lib/archive/query/placed-export.ts'
import type { ArchiveReader, SignalOptions } from '#lib/archive/reader.ts'
import type { LookupField, LookupsQuery } from '#lib/contract/lookups-query.ts'
import { toLookupConditions } from './conditions.ts'
import { orderLookups, selectNamed, withNames } from './select-lookups.ts'

/** Every look-up of a query. */
export type LookupsExport = PlacedExport<LookupField>

/** Every row of the query in its order. The caller closes it. */
export async function openLookupsExport(
  reader: ArchiveReader,
  query: LookupsQuery,
  { signal }: SignalOptions,
): Promise<LookupsExport> {
  const isEmpty = reader.lookups().edition === null
  const rows = {
    placed: isEmpty ? NOTHING : toOrdered(query),
    load: selectNamed,
    toTyped: (columns: readonly LookupField[], placed: RawBuilder<unknown>) => sql`
      select ${toFields(columns)} from ${isEmpty ? placed : withNames(placed)} as named order by place`,
  }
  return await openPlacedExport(reader, rows, signal)
}

const toFields = (columns: readonly LookupField[]) => sql.join(columns.map((name) => sql.ref(name)))

const toOrdered = (query: LookupsQuery) => sql`
  select id, symbol_no, source_no, room_no, created_at,
    row_number() over (order by ${orderLookups(query)}) - 1 as place
  from lookups.lookup where ${toLookupConditions(query)}`

/** Before any edition there is no table to ask. */
const NOTHING = sql`
  select cast(null as bigint) as id, '' as symbol, '' as source, '' as room_id,
    cast(null as bigint) as created_at, cast(null as bigint) as place
  where false`
