import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { openPlacedExport, type PlacedExport } from '#lib/archive/query/placed-export.ts'
import type { ArchiveReader, Rows, SignalOptions } from '#lib/archive/reader.ts'
import type {
  DifferenceFacets,
  DifferenceRow,
  FieldChange,
} from '#lib/contract/answers/edition-differences.ts'
import {
  DIFFERENCE_KINDS,
  type DifferenceColumn,
  type DifferenceKind,
  type DifferenceList,
  type DifferencesQuery,
} from '#lib/contract/edition-differences.ts'
import { PREDICTION_PATTERN } from '#lib/contract/rating-fields.ts'
import type { Chosen } from '#lib/contract/value-list.ts'

/** What the engine would take for a pattern, naming files, is a name. */
const readFile = (path: string) => sql`read_parquet(${sql.lit(path.replace(/[*?[]/g, '[$&]'))})`

/** What a query leaves of the ratings of a file (its rows with `nth` 0), but for the filters named. */
function toConditions(
  path: string,
  query: DifferencesQuery,
  ...without: readonly DifferenceList[]
): RawBuilder<boolean> {
  const isAsked = (name: DifferenceList) => !without.includes(name)
  const kinds = toNumbers(query.kind)
  const conditions = [
    sql`nth = 0`,
    ...(isAsked('kind') ? toListed(kinds, sql.ref('kind_no')) : []),
    ...(isAsked('symbol') ? toListed(query.symbol, sql.ref('symbol_key')) : []),
    ...(isAsked('user') ? toListed(query.user, sql.ref('user_id')) : []),
    ...(isAsked('field') ? toFieldConditions(path, query.field) : []),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

const toNumbers = ({ only, not }: Chosen<DifferenceKind>): Chosen<number> => ({
  only: only.map(toNumber),
  not: not.map(toNumber),
})

const toNumber = (kind: DifferenceKind) => DIFFERENCE_KINDS.indexOf(kind)

/** What has no value is among those that are left where some are taken out. */
function toListed<T>({ only, not }: Chosen<T>, column: RawBuilder<unknown>) {
  const values = (some: readonly T[]) => sql.join(some)
  return [
    ...(only.length > 0 ? [sql`${column} in (${values(only)})`] : []),
    ...(not.length > 0 ? [sql`(${column} is null or ${column} not in (${values(not)}))`] : []),
  ]
}

/** A rating may have changed in several fields: one of them is enough to leave it, or to take it out. */
function toFieldConditions(path: string, { only, not }: Chosen<string>) {
  const having = (fields: readonly string[]) => sql`(
    select row_no from ${readFile(path)} where field in (${sql.join(fields)}))`
  return [
    ...(only.length > 0 ? [sql`row_no in ${having(only)}`] : []),
    ...(not.length > 0 ? [sql`row_no not in ${having(not)}`] : []),
  ]
}

/** By the query's column, ties by kind, the newest first; what has no value last. */
function toOrder({ sort }: DifferencesQuery): RawBuilder<unknown> {
  const column = { kind: 'kind_no', symbol: 'symbol_key' }[sort.column as string] ?? sort.column
  const direction = sql.raw(sort.direction)
  const others = ['kind_no', 'created_at', 'row_no'].filter((name) => name !== column)
  const ties = others.map(
    (name) => sql`${sql.ref(name)} ${sql.raw(name === 'kind_no' ? 'asc' : 'desc')} nulls last`,
  )
  return sql.join([sql`${sql.ref(column)} ${direction} nulls last`, ...ties])
}

/** A text that the binding gives as it is: it would drop a byte order mark that begins it. */
const whole = (name: string) => sql`'"' || ${sql.ref(name)} as ${sql.ref(name)}`
const toWhole = (text: string | null): string | null => (text === null ? null : text.slice(1))

type Line = {
  row_no: number
  kind_no: number
  id: number | null
  id_text: string
  symbol: string
  user_id: number | null
  rating: number | null
  prediction: string
  created_at: number | null
  field: string | null
  before: string | null
  after: string | null
}

const LINE = sql`row_no, kind_no, id, ${whole('id_text')}, ${whole('symbol')}, user_id, rating,
  ${whole('prediction')}, created_at, ${whole('field')}, ${whole('before')}, ${whole('after')}`

/** The file of a difference, as `openDifferenceWriter` writes it, and what to read of it. */
type Asking = { path: string; query: DifferencesQuery }

/** `file`: how many rows a file of the query has, and one of the whole difference. */
export type DifferencesPage = Rows<DifferenceRow> & { file: { rows: number; all: number } }

export async function selectDifferences(
  reader: ArchiveReader,
  { path, query }: Asking,
  { signal }: SignalOptions,
): Promise<DifferencesPage> {
  const [counted, lines] = await Promise.all([
    reader.read(async (db) => await countAll(db, path, query), signal),
    reader.read(async (db) => await selectPage(db, path, query), signal),
  ])
  const { total, rows, all } = counted
  return { rows: toRows(lines), total, file: { rows, all } }
}

/** Which of these ids the archive holds as removed upstream before an instant, in seconds since 1970. */
export const selectMarked = async (
  reader: ArchiveReader,
  ids: readonly number[],
  before: number,
): Promise<Set<number>> =>
  await reader.read(async (db) => {
    const { rows } = await sql<{ id: number }>`
      select id from rating where vanished_at < ${sql.lit(before)}
        and id in (${sql.join(ids.map((id) => sql.lit(id)))})`.execute(db)
    return new Set(rows.map(({ id }) => id))
  })

type Counts = { total: number; rows: number; all: number }

async function countAll(db: Kysely<Tables>, path: string, query: DifferencesQuery) {
  const file = readFile(path)
  const { rows } = await sql<Counts>`
    select (select count(*) from ${file} where ${toConditions(path, query)}) as total,
      (select count(*) from ${file} where row_no in (
        select row_no from ${file} where ${toConditions(path, query)})) as rows,
      (select count(*) from ${file}) as "all"`.execute(db)
  return rows[0] ?? { total: 0, rows: 0, all: 0 }
}

/** Which ratings stand on the page, and then all that is known of them. */
async function selectPage(
  db: Kysely<Tables>,
  path: string,
  query: DifferencesQuery,
): Promise<Line[]> {
  const placed = await sql<{ row_no: number }>`
    select row_no from ${readFile(path)} where ${toConditions(path, query)}
    order by ${toOrder(query)} limit ${sql.lit(query.per_page)}
    offset ${sql.lit((query.page - 1) * query.per_page)}`.execute(db)
  const numbers = placed.rows.map(({ row_no }) => row_no)
  if (numbers.length === 0) return []
  const { rows } = await sql<Line>`
    select ${LINE} from ${readFile(path)}
    where row_no in (${sql.join(numbers.map((number) => sql.lit(number)))})
    order by row_no, nth`.execute(db)
  const places = new Map(numbers.map((number, place) => [number, place]))
  return rows.sort((a, b) => (places.get(a.row_no) ?? 0) - (places.get(b.row_no) ?? 0))
}

/** Lines of one rating stand beside each other. */
function toRows(lines: readonly Line[]): DifferenceRow[] {
  const rows: DifferenceRow[] = []
  let last: number | null = null
  for (const line of lines) {
    if (line.row_no !== last) rows.push(toRow(line))
    last = line.row_no
    const change = toChange(line)
    if (change) rows.at(-1)?.changes.push(change)
  }
  return rows
}

const toRow = (line: Line): DifferenceRow => ({
  id: line.id,
  id_text: toWhole(line.id_text) ?? '',
  kind: DIFFERENCE_KINDS[line.kind_no] ?? 'edited',
  symbol: toWhole(line.symbol) ?? '',
  user_id: line.user_id,
  rating: line.rating,
  prediction: toWhole(line.prediction) ?? '',
  created_at: line.created_at,
  changes: [],
})

function toChange({ field, before, after }: Line): FieldChange | null {
  if (field === null) return null
  return {
    field: toWhole(field) ?? '',
    before: toWhole(before) ?? '',
    after: toWhole(after) ?? '',
  }
}

/** How many values a facet names beside the chosen ones. */
const TOP = 20

/** The counts beside the filters: each over the rows that pass all the other filters. */
export async function selectDifferenceFacets(
  reader: ArchiveReader,
  { path, query }: Asking,
  { signal }: SignalOptions,
): Promise<DifferenceFacets> {
  const read = async <T>(work: (db: Kysely<Tables>) => Promise<T>) =>
    await reader.read(work, signal)
  const [kinds, field, symbol, user] = await Promise.all([
    read(async (db) => await selectKinds(db, path, query)),
    read(async (db) => await selectFields(db, path, query)),
    read(
      async (db) =>
        await selectTop<string>(db, { path, query, name: 'symbol', column: 'symbol_key' }),
    ),
    read(
      async (db) => await selectTop<number>(db, { path, query, name: 'user', column: 'user_id' }),
    ),
  ])
  return {
    kind: kinds,
    field: withChosen(field, query.field),
    symbol: withChosen(symbol.shown, query.symbol),
    user: withChosen(user.shown, query.user),
    distinct: { fields: field.length, symbols: symbol.distinct, users: user.distinct },
  }
}

type Counted<T> = { value: T; count: number }

async function selectKinds(db: Kysely<Tables>, path: string, query: DifferencesQuery) {
  const { rows } = await sql<{ kind_no: number; count: number }>`
    select kind_no, count(*) as count from ${readFile(path)}
    where ${toConditions(path, query, 'kind')} group by kind_no`.execute(db)
  const counts = new Map(rows.map(({ kind_no, count }) => [kind_no, count]))
  return DIFFERENCE_KINDS.map((value, number) => ({ value, count: counts.get(number) ?? 0 }))
}

/** Files have few columns: all that changed are listed, the most frequent first. */
async function selectFields(
  db: Kysely<Tables>,
  path: string,
  query: DifferencesQuery,
): Promise<Counted<string>[]> {
  const { rows } = await sql<Counted<string>>`
    select field as value, count(*) as count from ${readFile(path)}
    where field is not null and row_no in (
      select row_no from ${readFile(path)} where ${toConditions(path, query, 'field')})
    group by field order by count desc, field`.execute(db)
  return rows
}

type Asked = {
  path: string
  query: DifferencesQuery
  name: 'symbol' | 'user'
  column: 'symbol_key' | 'user_id'
}

async function selectTop<T extends string | number>(
  db: Kysely<Tables>,
  { path, query, name, column }: Asked,
): Promise<{ shown: Counted<T>[]; distinct: number }> {
  const chosen = [...query[name].only, ...query[name].not]
  const isChosen = chosen.length === 0 ? sql`false` : sql`value in (${sql.join(chosen)})`
  const { rows } = await sql<Counted<T> & { distinct: number }>`
    select value, count, "distinct"
    from (
      select ${sql.ref(column)} as value, count(*) as count, count(*) over () as "distinct",
        row_number() over (order by count(*) desc, ${sql.ref(column)}) as place
      from ${readFile(path)}
      where ${toConditions(path, query, name)} and ${sql.ref(column)} is not null
      group by ${sql.ref(column)}
    ) as counted
    where place <= ${sql.lit(TOP)} or ${isChosen} order by place`.execute(db)
  return {
    shown: rows.map(({ value, count }) => ({ value, count })),
    distinct: rows[0]?.distinct ?? 0,
  }
}

/** What is chosen is listed even with no rating. */
function withChosen<T>(found: readonly Counted<T>[], { only, not }: Chosen<T>): Counted<T>[] {
  const missing = [...new Set([...only, ...not])].filter((value) =>
    found.every((line) => line.value !== value),
  )
  return [...found, ...missing.map((value) => ({ value, count: 0 }))]
}

type FileRow = Record<DifferenceColumn, string | number | null>

/** Every change of the ratings of a query. */
export type DifferencesExport = PlacedExport<DifferenceColumn>

/** Every row of the query in its order. `path` null: there is no difference, and the export is empty. The caller closes it. */
export async function openDifferencesExport(
  reader: ArchiveReader,
  { path, query }: { path: string | null; query: DifferencesQuery },
  { signal }: SignalOptions,
): Promise<DifferencesExport> {
  return await openPlacedExport<DifferenceColumn, FileRow>(
    reader,
    {
      placed: path === null ? NOTHING : toPlaced(path, query),
      load: async (db, rows) => {
        const found = await sql<Line>`select ${LINE} from ${rows} as placed order by place`.execute(
          db,
        )
        return found.rows.map(toFileRow)
      },
      toTyped: (columns, rows) => {
        const fields = columns.map((name) => TYPED[name] ?? sql.ref(name))
        return sql`select ${sql.join(fields)} from ${rows} as placed order by place`
      },
    },
    signal,
  )
}

const KINDS = sql.join(DIFFERENCE_KINDS.map((kind) => sql.lit(kind)))
/** What is no decimal number is none in a file either. */
const TYPED: Partial<Record<DifferenceColumn, RawBuilder<unknown>>> = {
  kind: sql`list_extract([${KINDS}], kind_no + 1) as kind`,
  prediction: sql`case when regexp_full_match(prediction, ${sql.lit(PREDICTION_PATTERN.source)})
    then prediction end as prediction`,
}

/** All lines of the ratings that are left, in the query's order of ratings. */
const toPlaced = (path: string, query: DifferencesQuery) => sql`
  select lines.*, row_number() over (order by rating_place, nth) - 1 as place
  from ${readFile(path)} as lines join (
    select row_no, row_number() over (order by ${toOrder(query)}) as rating_place
    from ${readFile(path)} where ${toConditions(path, query)}
  ) as ratings using (row_no)`

const NOTHING = sql`
  select cast(null as bigint) as row_no, cast(null as integer) as nth,
    cast(null as integer) as kind_no, '' as id_text, cast(null as bigint) as id, '' as symbol,
    '' as symbol_key, cast(null as bigint) as user_id, cast(null as bigint) as rating,
    '' as prediction, cast(null as bigint) as created_at, '' as field, '' as "before",
    '' as "after", cast(null as bigint) as place
  where false`

const toFileRow = (line: Line): FileRow => {
  const { id_text: _text, changes: _changes, ...rest } = toRow(line)
  const [field, before, after] = [line.field, line.before, line.after].map(toWhole)
  const prediction = PREDICTION_PATTERN.test(rest.prediction) ? rest.prediction : null
  return { ...rest, prediction, field: field ?? null, before: before ?? null, after: after ?? null }
}
