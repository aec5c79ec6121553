import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { toPostedEdges } from '#lib/archive/query/histogram-bins.ts'
import { openPlacedExport, type PlacedExport } from '#lib/archive/query/placed-export.ts'
import type { ArchiveReader, Rows, SignalOptions } from '#lib/archive/reader.ts'
import type { ListFacets } from '#lib/contract/answers/lists.ts'
import {
  type AnyList,
  type AnyQuery,
  type FacetsOf,
  type Field,
  type FieldType,
  type RowOf,
  readChosen,
  selectCountedFilters,
  selectRanges,
  selectSpanField,
  selectValueFilters,
} from '#lib/contract/lists/define-list.ts'
import type { Chosen } from '#lib/contract/value-list.ts'
import { type GivenExport, type GivenRows, openGivenExport } from './given-rows.ts'

type Value = string | number
type Sql = RawBuilder<unknown>

export type SourceField = {
  key?: string | Sql
  /** Default: the key. */
  sortKey?: string
  toKeys?: (values: readonly Value[]) => Sql
  value?: Sql
  has?: (values: readonly Value[]) => Sql
  values?: (conditions: Sql) => Sql
  /** Instead of those of its filter and range. */
  conditions?: readonly Sql[]
}

export type ListSource = {
  from: Sql
  fields: Readonly<Record<string, SourceField>>
  where: readonly Sql[]
  ties: (direction: Sql) => readonly Sql[]
}

export type ListSelection<L extends AnyList = AnyList> = {
  list: L
  source: ListSource
  query: AnyQuery
}

export type ListRows<L extends AnyList = AnyList> = ListSelection<L> & {
  load: LoadRows<RowOf<L>>
  toTyped?: (columns: readonly string[], placed: Sql) => Sql
  /** Seconds. */
  span?: Span | null
}

type Span = Record<'first' | 'last', number>

/** Rows without a value pass an exclusion. `without`: fields. */
export function toListConditions(
  { list, source, query }: ListSelection,
  ...without: readonly string[]
): RawBuilder<boolean> {
  const isLeft = (field: string) =>
    !without.includes(field) && source.fields[field]?.conditions === undefined
  const conditions = [
    ...Object.entries(source.fields).flatMap(([field, { conditions = [] }]) =>
      without.includes(field) ? [] : conditions,
    ),
    ...selectValueFilters(list).flatMap(({ name, field }) =>
      isLeft(field) ? toValueConditions({ list, source }, field, readChosen(query, name)) : [],
    ),
    ...selectRanges(list).flatMap(({ field, bounds }) =>
      isLeft(field)
        ? bounds.flatMap(({ name, operator }) => {
            const bound = query[name]
            if (typeof bound !== 'number' && typeof bound !== 'string') return []
            const key = toKey(field, source.fields[field])
            return [sql`${key} ${sql.raw(operator)} ${toValue(list.fields[field], bound)}`]
          })
        : [],
    ),
    ...source.where,
  ]
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`
}

const toKey = (field: string, { key = field }: SourceField = {}): Sql =>
  typeof key === 'string' ? sql.ref(key) : key

/** Decimals are texts, and never floats. */
const toValue = (field: Field | undefined, value: Value): Sql =>
  field?.type === 'decimal' ? sql`cast(${value} as decimal(18, 6))` : sql`${value}`

function toValueConditions(
  { list, source }: Pick<ListSelection, 'list' | 'source'>,
  field: string,
  { only, not }: Chosen<Value>,
): Sql[] {
  const { has, toKeys, ...of } = source.fields[field] ?? {}
  const key = toKey(field, of)
  const described = list.fields[field]
  const toList = toKeys ?? toValueList(described)
  const isIn = has ?? ((values) => sql`${key} in ${toList(values)}`)
  const isNotIn = (values: readonly Value[]) =>
    has || !described?.nullable
      ? sql`not ${isIn(values)}`
      : sql`(${key} is null or not ${isIn(values)})`
  return [...(only.length > 0 ? [isIn(only)] : []), ...(not.length > 0 ? [isNotIn(not)] : [])]
}

const toValueList = (field: Field | undefined) => (values: readonly Value[]) =>
  sql`(${sql.join(values.map((value) => toValue(field, value)))})`

/** Nulls last. `backwards`: the same order from its end. */
export function toListOrder(
  { source, query: { sort } }: ListSelection,
  way: 'forwards' | 'backwards' = 'forwards',
): Sql {
  const { sortKey, ...field } = source.fields[sort.column] ?? {}
  const key = toKey(sortKey ?? sort.column, sortKey === undefined ? field : {})
  const isDown = (sort.direction === 'desc') === (way === 'forwards')
  const direction = sql.raw(isDown ? 'desc' : 'asc')
  const nulls = sql.raw(way === 'forwards' ? 'last' : 'first')
  return sql.join([sql`${key} ${direction} nulls ${nulls}`, ...source.ties(direction)])
}

export const placeRows = (selection: ListSelection, page = sql``): Sql => sql`
  select *, row_number() over () - 1 as place
  from (
    select * from ${selection.source.from} where ${toListConditions(selection)}
    order by ${toListOrder(selection)} ${page}
  ) as ordered`

type LoadRows<R> = (db: Kysely<Tables>, placed: Sql) => Promise<R[]>

export const loadFields =
  <L extends AnyList>(list: L): LoadRows<RowOf<L>> =>
  async (db, placed) => {
    const { rows } = await sql<RowOf<L>>`
      select ${sql.join(Object.keys(list.fields).map((name) => sql.ref(name)))}
      from ${placed} as placed order by place`.execute(db)
    return rows
  }

export async function selectListPage<R>(
  reader: Pick<ArchiveReader, 'read'>,
  { load, ...listed }: ListSelection & { load: LoadRows<R> },
  { signal }: SignalOptions,
): Promise<Rows<R>> {
  const { query } = listed
  const offset = (query.page - 1) * query.per_page
  const page = placeRows(listed, sql`limit ${sql.lit(query.per_page)} offset ${sql.lit(offset)}`)
  const [total, rows] = await Promise.all([
    reader.read((db) => countRows(db, listed), signal),
    reader.read((db) => load(db, sql`(${page})`), signal),
  ])
  return { rows, total }
}

export async function selectAll(
  reader: Pick<ArchiveReader, 'read'>,
  { source: { from, where } }: Pick<ListSelection, 'source'>,
  { signal }: SignalOptions,
): Promise<number> {
  const { rows } = await reader.read(
    (db) =>
      sql<{ total: number }>`
        select count(*) as total from ${from}
        where ${sql.join([sql`true`, ...where], sql` and `)}`.execute(db),
    signal,
  )
  return rows[0]?.total ?? 0
}

async function countRows(db: Kysely<Tables>, selection: ListSelection): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${selection.source.from}
    where ${toListConditions(selection)}`.execute(db)
  return rows[0]?.total ?? 0
}

const TOP = 20

type Counts = { name: string; plural: string; counted: Counted[]; distinct: number }
type Counted = { value: Value; count: number }

export async function selectListFacets<L extends AnyList>(
  reader: Pick<ArchiveReader, 'read'>,
  selection: ListSelection<L>,
  { signal }: SignalOptions,
): Promise<FacetsOf<L>> {
  const counts = await Promise.all(
    selectCountedFilters(selection.list).map(
      async (filter) => await reader.read((db) => countValues(db, selection, filter), signal),
    ),
  )
  const facets = {
    ...Object.fromEntries(counts.map(({ name, counted }) => [name, counted])),
    distinct: Object.fromEntries(counts.map(({ plural, distinct }) => [plural, distinct])),
  }
  return facets as FacetsOf<L>
}

async function countValues(
  db: Kysely<Tables>,
  selection: ListSelection,
  { field, name, plural, values, all }: ReturnType<typeof selectCountedFilters>[number],
): Promise<Counts> {
  const { list, source, query } = selection
  const {
    toKeys = toValueList(list.fields[field]),
    value = sql`key`,
    ...held
  } = source.fields[field] ?? {}
  const conditions = toListConditions(selection, field)
  const column = toKey(field, source.fields[field])
  const keys =
    held.values?.(conditions) ??
    sql`select ${column} as key from ${source.from} where ${conditions} and ${column} is not null`
  const { only, not } = readChosen(query, name)
  const chosen = [...new Set([...only, ...not])]
  const isChosen = chosen.length === 0 ? sql`false` : sql`key in ${toKeys(chosen)}`
  const isShown = all ? sql`true` : sql`place <= ${sql.lit(TOP)} or ${isChosen}`
  const { rows } = await sql<Counted & { distinct: number }>`
    select ${value} as value, count, "distinct"
    from (
      select key, count(*) as count, count(*) over () as "distinct",
        row_number() over (order by count(*) desc, key) as place
      from (${keys}) as keys group by key
    ) as counted
    where ${isShown}
    order by place`.execute(db)
  const counts = new Map<Value, number>(rows.map((row) => [row.value, row.count]))
  const named = values ?? [...counts.keys(), ...chosen.filter((one) => !counts.has(one))]
  const counted = named.map((one) => ({ value: one, count: counts.get(one) ?? 0 }))
  return { name, plural, counted, distinct: rows[0]?.distinct ?? 0 }
}

type Bin = { from: number; to: number; count: number }

async function selectListBins(
  reader: Pick<ArchiveReader, 'read'>,
  selection: ListSelection,
  { first, last }: Span,
  { signal }: SignalOptions,
): Promise<Bin[]> {
  const field = selectSpanField(selection.list)
  if (field === null) return []
  const { start, width, bins } = toPostedEdges(first, last)
  const { rows } = await reader.read(
    (db) =>
      sql<{ bin: number; count: number }>`
        select (${sql.ref(field)} - ${sql.lit(start)}) // ${sql.lit(width)} as bin, count(*) as count
        from ${selection.source.from} where ${toListConditions(selection, field)} group by bin`.execute(
        db,
      ),
    signal,
  )
  const counts = new Map(rows.map(({ bin, count }) => [bin, count]))
  return Array.from({ length: bins }, (_, bin) => ({
    from: start + bin * width,
    to: start + (bin + 1) * width,
    count: counts.get(bin) ?? 0,
  }))
}

export async function selectFacets<L extends AnyList>(
  reader: Pick<ArchiveReader, 'read'>,
  rows: ListRows<L>,
  options: SignalOptions,
): Promise<ListFacets<L>> {
  const counted = selectListFacets(reader, rows, options)
  if (selectSpanField(rows.list) === null) return (await counted) as ListFacets<L>
  const span = rows.span === undefined ? await selectSpan(reader, rows, options) : rows.span
  const [facets, created] = await Promise.all([
    counted,
    span ? selectListBins(reader, rows, span, options) : [],
  ])
  const bounds = { created: span && { from: span.first, to: span.last + 1 } }
  return { ...facets, created, bounds } as ListFacets<L>
}

async function selectSpan(
  reader: Pick<ArchiveReader, 'read'>,
  { list, source }: ListSelection,
  { signal }: SignalOptions,
): Promise<Span | null> {
  const field = sql.ref(selectSpanField(list) ?? '')
  const where = sql.join([sql`true`, ...source.where], sql` and `)
  const { rows } = await reader.read(
    (db) =>
      sql<{ [N in keyof Span]: number | null }>`
        select min(${field}) as first, max(${field}) as last
        from ${source.from} where ${where}`.execute(db),
    signal,
  )
  const { first = null, last = null } = rows[0] ?? {}
  return first === null || last === null ? null : { first, last }
}

export function noFacets<L extends AnyList>(list: L): ListFacets<L> {
  const filters = selectCountedFilters(list)
  const facets = {
    ...Object.fromEntries(filters.map(({ name }) => [name, []])),
    distinct: Object.fromEntries(filters.map(({ plural }) => [plural, 0])),
    ...(selectSpanField(list) !== null && { created: [], bounds: { created: null } }),
  }
  return facets as never
}

const STORED: Readonly<Record<Exclude<FieldType, readonly unknown[]>, string>> = {
  whole: 'bigint',
  instant: 'bigint',
  day: 'date',
  decimal: 'decimal(18, 6)',
  text: 'varchar',
  count: 'integer',
  figure: 'decimal(18, 6)',
  drawing: 'varchar',
}

export const toStoredType = ({ type }: Pick<Field, 'type'>): string =>
  typeof type === 'string' ? STORED[type] : 'varchar'

/** `rows` null exports nothing. The caller closes the export. Given rows have no Parquet. */
export async function openListExport<L extends AnyList>(
  reader: ArchiveReader,
  list: L,
  rows: ListRows<L> | GivenRows | null,
  { signal }: SignalOptions,
): Promise<PlacedExport<string> | GivenExport> {
  if (rows && 'select' in rows) return await openGivenExport(reader, list, rows, { signal })
  const toStored = (columns: readonly string[], placed: Sql) => sql`
    select ${sql.join(columns.map((name) => sql.ref(name)))} from ${placed} as placed
    order by place`
  const { load = noRows, toTyped = toStored } = rows ?? {}
  const placed = rows === null ? toNothing(list) : placeRows(rows)
  return await openPlacedExport(reader, { list, placed, load, toTyped }, signal)
}

const noRows = async () => []

const toNothing = ({ fields }: AnyList): Sql => {
  const columns = Object.entries(fields).map(
    ([name, field]) => sql`cast(null as ${sql.raw(toStoredType(field))}) as ${sql.ref(name)}`,
  )
  return sql`select ${sql.join(columns)}, cast(null as bigint) as place where false`
}
