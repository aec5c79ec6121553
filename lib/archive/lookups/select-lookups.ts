import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { toPostedEdges } from '#lib/archive/query/histogram-bins.ts'
import type { ArchiveReader, Rows, SignalOptions } from '#lib/archive/reader.ts'
import type { LookupFacets, LookupRow } from '#lib/contract/answers/lookups.ts'
import type { LookupField, LookupList, LookupsQuery } from '#lib/contract/lookups-query.ts'
import type { Chosen } from '#lib/contract/value-list.ts'
import { type LookupFilter, toLookupConditions } from './conditions.ts'
import type { LookupsState } from './lookups.ts'

/** Names are numbered in their order: the numbers sort as they do. */
const SORTED: Readonly<Record<LookupField, string>> = {
  id: 'id',
  symbol: 'symbol_no',
  source: 'source_no',
  room_id: 'room_no',
  created_at: 'created_at',
}

/** By the query's column, ties by time, id, and place in the table; what has no value last. */
export function orderLookups({ sort }: LookupsQuery): RawBuilder<unknown> {
  const direction = sql.raw(sort.direction)
  const columns = [...new Set([SORTED[sort.column], 'created_at', 'id', 'rowid'])]
  return sql.join(columns.map((name) => sql`${sql.ref(name)} ${direction} nulls last`))
}

/** Rows by the numbers of their names, with the names. */
export const withNames = (numbered: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select numbered.*, symbol, source, room as room_id
  from ${numbered} as numbered
    join lookups.symbol using (symbol_no)
    left join lookups.source using (source_no)
    left join lookups.room using (room_no))`

/** One page of the query's rows, and how many there are on all pages. */
export async function selectLookups(
  reader: ArchiveReader,
  query: LookupsQuery,
  { signal }: SignalOptions,
): Promise<Rows<LookupRow>> {
  if (reader.lookups().edition === null) return { rows: [], total: 0 }
  const offset = (query.page - 1) * query.per_page
  const [total, rows] = await Promise.all([
    reader.read((db) => countLookups(db, query), signal),
    reader.read((db) => selectPage(db, query, offset), signal),
  ])
  return { rows, total }
}

async function countLookups(db: Kysely<Tables>, query: LookupsQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from lookups.lookup where ${toLookupConditions(query)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** Only what decides the order is sorted; names are put to those that are shown. */
async function selectPage(
  db: Kysely<Tables>,
  query: LookupsQuery,
  offset: number,
): Promise<LookupRow[]> {
  const page = sql`(
    select id, symbol_no, source_no, room_no, created_at,
      row_number() over () as place
    from (
      select * from lookups.lookup where ${toLookupConditions(query)}
      order by ${orderLookups(query)} limit ${sql.lit(query.per_page)} offset ${sql.lit(offset)}
    ) as ordered)`
  return await selectNamed(db, page)
}

/** Look-ups by the numbers of their names, in the order of their `place`, as answers have them. */
export async function selectNamed(
  db: Kysely<Tables>,
  numbered: RawBuilder<unknown>,
): Promise<LookupRow[]> {
  const { rows } = await sql<LookupRow>`
    select id, symbol, source, room_id, created_at from ${withNames(numbered)} as named
    order by place`.execute(db)
  return rows
}

/** How many values a facet names beside the chosen ones. */
const TOP = 20

const NO_FACETS: LookupFacets = {
  symbol: [],
  source: [],
  room: [],
  distinct: { symbols: 0, sources: 0, rooms: 0 },
  created: [],
  bounds: { created: null },
}

/** The counts beside the filters: each over the rows that pass all the other filters. */
export async function selectLookupFacets(
  reader: ArchiveReader,
  query: LookupsQuery,
  { signal }: SignalOptions,
): Promise<LookupFacets> {
  const state = reader.lookups()
  if (state.edition === null) return NO_FACETS
  const top = async (name: LookupList) =>
    await reader.read((db) => selectTop(db, query, name), signal)
  const [symbol, source, room, created] = await Promise.all([
    top('symbol'),
    top('source'),
    top('room'),
    reader.read((db) => selectBins(db, query, state), signal),
  ])
  const { firstCreatedAt: first, lastCreatedAt: last } = state
  return {
    symbol: symbol.shown,
    source: source.shown,
    room: room.shown,
    distinct: { symbols: symbol.distinct, sources: source.distinct, rooms: room.distinct },
    created,
    bounds: { created: first === null || last === null ? null : { from: first, to: last + 1 } },
  }
}

type Line = { value: string; count: number }

/** The most frequent, then what is chosen beside them, down to what has no row. */
async function selectTop(
  db: Kysely<Tables>,
  query: LookupsQuery,
  name: LookupList,
): Promise<{ shown: Line[]; distinct: number }> {
  const [column, number] = [sql.ref(name), sql.ref(`${name}_no`)]
  const chosen = toChosen(query[name])
  const isChosen = chosen.length === 0 ? sql`false` : sql`value in (${sql.join(chosen)})`
  const { rows } = await sql<Line & { distinct: number }>`
    select value, count, "distinct"
    from (
      select ${column} as value, count, count(*) over () as "distinct",
        row_number() over (order by count desc, ${column}) as place
      from (
        select ${number}, count(*) as count from lookups.lookup
        where ${toLookupConditions(query, name)} and ${number} is not null group by ${number}
      ) as counted join ${sql.table(`lookups.${name}`)} using (${number})
    ) as placed
    where place <= ${sql.lit(TOP)} or ${isChosen}
    order by place`.execute(db)
  const found = rows.map(({ value, count }) => ({ value, count }))
  const missing = chosen.filter((value) => found.every((line) => line.value !== value))
  return {
    shown: [...found, ...missing.map((value) => ({ value, count: 0 }))],
    distinct: rows[0]?.distinct ?? 0,
  }
}

const toChosen = ({ only, not }: Chosen<string>): string[] => [...new Set([...only, ...not])]

const BUT_TIME: LookupFilter = 'created'

async function selectBins(
  db: Kysely<Tables>,
  query: LookupsQuery,
  { firstCreatedAt: first, lastCreatedAt: last }: LookupsState,
): Promise<LookupFacets['created']> {
  if (first === null || last === null) return []
  const { start, width, bins } = toPostedEdges(first, last)
  const { rows } = await sql<{ bin: number; count: number }>`
    select (created_at - ${sql.lit(start)}) // ${sql.lit(width)} as bin, count(*) as count
    from lookups.lookup where ${toLookupConditions(query, BUT_TIME)} group by bin`.execute(db)
  const counts = new Map(rows.map(({ bin, count }) => [bin, count]))
  return Array.from({ length: bins }, (_, bin) => ({
    from: start + bin * width,
    to: start + (bin + 1) * width,
    count: counts.get(bin) ?? 0,
  }))
}
