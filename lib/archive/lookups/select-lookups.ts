import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import {
  type ListSource,
  placeRows,
  type SourceField,
  selectListBins,
  selectListFacets,
  selectListPage,
} from '#lib/archive/lists/select-list.ts'
import { openPlacedExport, type PlacedExport } from '#lib/archive/query/placed-export.ts'
import type { ArchiveReader, Rows, SignalOptions } from '#lib/archive/reader.ts'
import type { LookupFacets, LookupRow } from '#lib/contract/answers/lookups.ts'
import { type LookupField, type LookupsQuery, lookupList } from '#lib/contract/lists/lookups.ts'

/** Rows hold the numbers of their names, which are numbered in order. */
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

const toListed = (query: LookupsQuery) => {
  const source: ListSource = {
    from: sql`lookups.lookup`,
    fields: FIELDS,
    where: query.asof === null ? [] : [sql`created_at <= ${sql.lit(query.asof)}`],
    ties: (direction) =>
      ['created_at', 'id', 'rowid'].map((name) => sql`${sql.ref(name)} ${direction} nulls last`),
  }
  return { list: lookupList, source, query }
}

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

/** Before the first import there is no table. */
const isImported = (reader: ArchiveReader) => reader.lookups().edition !== null

/** One page of the query's rows, and how many there are on all pages. */
export const selectLookups = async (
  reader: ArchiveReader,
  query: LookupsQuery,
  options: SignalOptions,
): Promise<Rows<LookupRow>> =>
  isImported(reader)
    ? await selectListPage(reader, toListed(query), loadRows, options)
    : { rows: [], total: 0 }

const NO_FACETS: LookupFacets = {
  symbol: [],
  source: [],
  room: [],
  distinct: { symbols: 0, sources: 0, rooms: 0 },
  created: [],
  bounds: { created: null },
}

/** The counts of every filter, each over the rows that pass all the other filters. */
export async function selectLookupFacets(
  reader: ArchiveReader,
  query: LookupsQuery,
  options: SignalOptions,
): Promise<LookupFacets> {
  const { firstCreatedAt: first, lastCreatedAt: last } = reader.lookups()
  if (!isImported(reader)) return NO_FACETS
  const listed = toListed(query)
  const hasBins = first !== null && last !== null
  const [facets, created] = await Promise.all([
    selectListFacets(reader, listed, options),
    hasBins ? selectListBins(reader, listed, { first, last }, options) : [],
  ])
  return { ...facets, created, bounds: { created: hasBins ? { from: first, to: last + 1 } : null } }
}

/** Every look-up of a query in its order. The caller closes it. */
export async function openLookupsExport(
  reader: ArchiveReader,
  query: LookupsQuery,
  { signal }: SignalOptions,
): Promise<PlacedExport<LookupField>> {
  const isEmpty = !isImported(reader)
  const rows = {
    placed: isEmpty ? NO_ROWS : placeRows(toListed(query)),
    load: loadRows,
    toTyped: (columns: readonly LookupField[], placed: RawBuilder<unknown>) => sql`
      select ${sql.join(columns.map((name) => sql.ref(name)))}
      from ${isEmpty ? placed : withNames(placed)} as named order by place`,
  }
  return await openPlacedExport(reader, rows, signal)
}

const NO_ROWS = sql`
  select cast(null as bigint) as id, '' as symbol, '' as source, '' as room_id,
    cast(null as bigint) as created_at, cast(null as bigint) as place
  where false`
