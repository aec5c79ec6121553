import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CsvImport } from '#lib/archive/archive.ts'
import { refuseAborted, type Session } from '#lib/archive/engine/duckdb-session.ts'
import { DERIVED, FIELDS, type Tables } from '#lib/archive/engine/tables.ts'
import { LAST_SECOND, RATING_FIELDS, SYMBOL_MAX_LENGTH } from '#lib/contract/rating-fields.ts'
import { type CsvForm, countPlainRecords, readCsv, readCsvForm } from './plain-csv.ts'

export type StagedCsv = CsvFile & { isAscending: boolean }

/**
 * Null, with nothing staged, if the engine might parse the file differently than `parseCsvRating`.
 * Throws AppError('busy') when aborted.
 */
export async function stageCsv(
  session: Session,
  { path, rows, signal }: CsvImport,
): Promise<StagedCsv | null> {
  try {
    const form = await readCsvForm(path)
    if (!form || !isPermutation(form.header)) return null
    const csv = { ...form, rows }
    const order = await session.interruptible(signal, async () => await stageKeys(session.db, csv))
    if (order) return { ...csv, ...order }
  } catch {}
  await dropKeys(session.db)
  refuseAborted(signal)
  return null
}

const isPermutation = (header: readonly string[]) =>
  header.length === RATING_FIELDS.length && RATING_FIELDS.every((name) => header.includes(name))

export async function adoptKeys(db: Kysely<Tables>): Promise<void> {
  await sql`drop table incoming`.execute(db)
  await sql`alter table keyed rename to incoming`.execute(db)
}

const dropKeys = async (db: Kysely<Tables>) => {
  await sql`drop table if exists keyed`.execute(db)
}

async function stageKeys(
  db: Kysely<Tables>,
  csv: CsvFile,
): Promise<Pick<StagedCsv, 'isAscending'> | null> {
  await dropKeys(db)
  const line = csv.header.map((name) => CELLS[name] ?? LABEL).join(',')
  if ((await countPlainRecords(db, csv, line)) !== csv.rows) return null
  await sql`create temporary table keyed as ${selectAdmittedKeys(csv)}`.execute(db)
  const { rows } = await sql<{ rows: number; unordered: number; backward: number }>`
    select count(*) as rows,
      count(*) filter (where id <= id_before) as unordered,
      count(*) filter (
        where created_at < created_before or created_at = created_before and id <= id_before
      ) as backward
    from (
      select id, created_at, lag(id) over () as id_before, lag(created_at) over () as created_before
      from keyed
    ) as following`.execute(db)
  const [found] = rows
  if (!found || found.rows !== csv.rows) return null
  // Ascending ids need no duplicate check.
  if (found.unordered > 0 && (await countIds(db)) !== csv.rows) return null
  return { isAscending: found.backward === 0 }
}

async function countIds(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ ids: number }>`select count(distinct id) as ids from keyed`.execute(
    db,
  )
  return rows[0]?.ids ?? 0
}

const CHECKED_FIELDS = sql.join(
  RATING_FIELDS.map((name) =>
    name === 'id'
      ? sql`case when id = of_id then id else error('the file is not the one that was read before') end as id`
      : sql.ref(name),
  ),
)

/** Matches staged neighbors by position. Throws if the file changed. */
export async function insertCsv(db: Kysely<Tables>, csv: StagedCsv): Promise<void> {
  await sql`
    insert into rating_next
    select ${CHECKED_FIELDS}, symbol_key, extra, ${DERIVED}
    from (
      select *, cast(null as bigint) as vanished_at
      from ${csvRatings(csv)} as ratings positional join neighbor
    ) as beside`.execute(db)
}

type CsvFile = CsvForm & { rows: number }

const INTEGERS: Record<string, string> = {
  id: 'bigint',
  user_id: 'bigint',
  rating: 'smallint',
  action: 'smallint',
  tally_agree: 'integer',
  tally_disagree: 'integer',
  tally_comment: 'integer',
  created_at: 'bigint',
  expired_at: 'bigint',
}

const NULLABLE = ['expired_at', 'expired_at_date']

const readTyped = ({ path, header }: CsvFile, typeOf: (name: string) => string) =>
  readCsv(
    path,
    header.map((name) => ({ name, type: typeOf(name), isNullable: NULLABLE.includes(name) })),
  )

export const csvRatings = (csv: CsvFile): RawBuilder<unknown> => sql`(
  select ${FIELDS}, upper(symbol) as symbol_key, cast(null as text) as extra
  from ${readTyped(csv, (name) => INTEGERS[name] ?? 'text')})`

const INTEGER_CELL = '(?:0|-?[1-9][0-9]*)'
const COUNT_CELL = '(?:0|[1-9][0-9]*)'

/** ASCII only: `upper` is the symbol key, and bytes and UTF-16 units agree. */
const LABEL = String.raw`[ !#-+\--~]*`

/** Stricter than the engine, which accepts `1e3`, `7.0` and ` 7`. */
const CELLS: Record<string, string> = {
  id: INTEGER_CELL,
  user_id: INTEGER_CELL,
  rating: INTEGER_CELL,
  action: INTEGER_CELL,
  tally_agree: COUNT_CELL,
  tally_disagree: COUNT_CELL,
  tally_comment: COUNT_CELL,
  created_at: COUNT_CELL,
  expired_at: `${COUNT_CELL}?`,
  prediction: '[+-]?[0-9]{1,12}(?:[.][0-9]{1,6})?',
}

const selectAdmittedKeys = (csv: CsvFile) => sql`
  select id, user_id, upper(symbol) as symbol_key, created_at, rating, prediction
  from ${readTyped(csv, (name) => INTEGERS[name] ?? 'text')}
  where ${sql.join(ADMISSION, sql` and `)}`

const isWithin = (name: string, first: number, last: number) =>
  sql`${sql.ref(name)} between ${sql.lit(first)} and ${sql.lit(last)}`

const isLabel = (name: string) => sql`strlen(${sql.ref(name)}) <= 200`

const { MAX_SAFE_INTEGER, MIN_SAFE_INTEGER } = Number
const INTEGER_MAX = 2_147_483_647

/** Select every column: otherwise the engine confuses which ones are nullable. */
const ADMISSION = [
  isWithin('id', MIN_SAFE_INTEGER, MAX_SAFE_INTEGER),
  isWithin('user_id', MIN_SAFE_INTEGER, MAX_SAFE_INTEGER),
  sql`action is not null`,
  isWithin('tally_agree', 0, INTEGER_MAX),
  isWithin('tally_disagree', 0, INTEGER_MAX),
  isWithin('tally_comment', 0, INTEGER_MAX),
  isWithin('created_at', 0, LAST_SECOND),
  sql`(expired_at is null or ${isWithin('expired_at', 0, LAST_SECOND)})`,
  sql`strlen(symbol) between 1 and ${sql.lit(SYMBOL_MAX_LENGTH)}`,
  isLabel('rating_label'),
  isLabel('action_label'),
  isLabel('created_at_date'),
  sql`(expired_at_date is null or ${isLabel('expired_at_date')})`,
]
