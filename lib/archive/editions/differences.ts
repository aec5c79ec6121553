import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import {
  type ListSource,
  placeRows,
  type SourceField,
  selectListFacets,
  selectListPage,
  toListConditions,
} from '#lib/archive/lists/select-list.ts'
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
  type DifferencesQuery,
  differenceList,
} from '#lib/contract/lists/edition-differences.ts'
import { PREDICTION_PATTERN } from '#lib/contract/rating-fields.ts'

/** Escapes glob characters in the path. */
const readFile = (path: string) => sql`read_parquet(${sql.lit(path.replace(/[*?[]/g, '[$&]'))})`

const KIND_NAMES = sql.join(DIFFERENCE_KINDS.map((kind) => sql.lit(kind)))

const FIELDS: ListSource['fields'] = {
  kind: {
    key: 'kind_no',
    toKeys: (kinds) =>
      sql`(${sql.join(DIFFERENCE_KINDS.flatMap((kind, number) => (kinds.includes(kind) ? [number] : [])))})`,
    value: sql`list_extract([${KIND_NAMES}], key + 1)`,
  },
  symbol: { key: 'symbol_key' },
}

const toFieldSource = (path: string): SourceField => ({
  has: (fields) => sql`row_no in (
    select row_no from ${readFile(path)} where field in (${sql.join(fields)}))`,
  values: (conditions) => sql`
    select field as key from ${readFile(path)} where field is not null and row_no in (
      select row_no from ${readFile(path)} where ${conditions})`,
})

const toListed = ({ path, query }: DifferencesRequest) => {
  const source: ListSource = {
    from: readFile(path),
    fields: { ...FIELDS, field: toFieldSource(path) },
    where: [sql`nth = 0`],
    ties: () => [sql`kind_no`, sql`created_at desc nulls last`, sql`row_no desc`],
  }
  return { list: differenceList, source, query }
}

/** The binding drops a leading byte order mark; the quote preserves it. */
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

type DifferencesRequest = { path: string; query: DifferencesQuery }

export type DifferencesPage = Rows<DifferenceRow> & { file: { rows: number; all: number } }

export async function selectDifferences(
  reader: ArchiveReader,
  request: DifferencesRequest,
  options: SignalOptions,
): Promise<DifferencesPage> {
  const [page, file] = await Promise.all([
    selectListPage(
      reader,
      { ...toListed(request), load: (db, placed) => loadRatings(db, request.path, placed) },
      options,
    ),
    reader.read((db) => countFileRows(db, request), options.signal),
  ])
  return { ...page, file }
}

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

async function countFileRows(db: Kysely<Tables>, { path, query }: DifferencesRequest) {
  const file = readFile(path)
  const { rows } = await sql<DifferencesPage['file']>`
    select count(*) as "all", count(*) filter (where row_no in (
      select row_no from ${file} where ${toListConditions(toListed({ path, query }))})) as rows
    from ${file}`.execute(db)
  return rows[0] ?? { rows: 0, all: 0 }
}

async function loadRatings(
  db: Kysely<Tables>,
  path: string,
  ratings: RawBuilder<unknown>,
): Promise<DifferenceRow[]> {
  const placed = await sql<{ row_no: number }>`
    select row_no from ${ratings} as placed order by place`.execute(db)
  const numbers = placed.rows.map(({ row_no }) => row_no)
  if (numbers.length === 0) return []
  const { rows } = await sql<Line>`
    select ${LINE} from ${readFile(path)}
    where row_no in (${sql.join(numbers.map((number) => sql.lit(number)))})
    order by row_no, nth`.execute(db)
  const places = new Map(numbers.map((number, place) => [number, place]))
  return toRows(rows.sort((a, b) => (places.get(a.row_no) ?? 0) - (places.get(b.row_no) ?? 0)))
}

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

export async function selectDifferenceFacets(
  reader: ArchiveReader,
  request: DifferencesRequest,
  options: SignalOptions,
): Promise<DifferenceFacets> {
  const { distinct, ...facets } = await selectListFacets(reader, toListed(request), options)
  const { kinds: _kinds, ...others } = distinct
  return { ...facets, distinct: others }
}

type FileRow = Record<DifferenceColumn, string | number | null>

type DifferencesExport = PlacedExport<DifferenceColumn>

/** `path` null exports nothing. The caller closes the export. */
export async function openDifferencesExport(
  reader: ArchiveReader,
  { path, query }: { path: string | null; query: DifferencesQuery },
  { signal }: SignalOptions,
): Promise<DifferencesExport> {
  return await openPlacedExport<DifferenceColumn, FileRow>(
    reader,
    {
      list: differenceList,
      placed: path === null ? NOTHING : toPlaced({ path, query }),
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

const TYPED: Partial<Record<DifferenceColumn, RawBuilder<unknown>>> = {
  kind: sql`list_extract([${KIND_NAMES}], kind_no + 1) as kind`,
  prediction: sql`case when regexp_full_match(prediction, ${sql.lit(PREDICTION_PATTERN.source)})
    then prediction end as prediction`,
}

const toPlaced = (request: DifferencesRequest) => sql`
  select lines.*, row_number() over (order by rating_place, nth) - 1 as place
  from ${readFile(request.path)} as lines join (
    select row_no, place as rating_place from (${placeRows(toListed(request))}) as placed
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
