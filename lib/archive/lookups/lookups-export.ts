import { sql } from 'kysely'
import type { LookupsExport } from '#lib/archive/archive.ts'
import { openPlacedExport, type PlacedSource } from '#lib/archive/query/placed-export.ts'
import type { LookupField, LookupsQuery } from '#lib/contract/lookups-query.ts'
import { toLookupConditions } from './conditions.ts'
import { orderLookups, selectNamed, withNames } from './select-lookups.ts'

/** Counts the rows of a query and holds the snapshot in which they were counted, to write them from. */
export const openLookupsExport = async (
  source: PlacedSource,
  { query, isEmpty }: { query: LookupsQuery; isEmpty: boolean },
  signal: AbortSignal | undefined,
): Promise<LookupsExport> =>
  await openPlacedExport(
    source,
    {
      placed: isEmpty ? NOTHING : toOrdered(query),
      load: selectNamed,
      toTyped: (columns, rows) => sql`
        select ${toFields(columns)} from ${isEmpty ? rows : withNames(rows)} as named order by place`,
    },
    signal,
  )

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
