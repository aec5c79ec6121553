import { isAscii } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CsvImport } from '#lib/archive/archive.ts'
import { refuseAborted, type Session } from '#lib/archive/engine/duckdb-session.ts'
import { DERIVED_NAMES, FIELDS, type Tables } from '#lib/archive/engine/tables.ts'
import { LAST_SECOND, RATING_FIELDS, SYMBOL_MAX_LENGTH } from '#lib/contract/rating-fields.ts'

/** A file whose records are all ratings, each of another id. `isAscending`: they stand in order of time and id. */
export type StagedCsv = CsvFile & { isAscending: boolean }

/** What the engine would take for a pattern, naming files. */
const PATTERN = /[*?[\]{}]/

/**
 * Stages the keys of a file's ratings as `keyed`, in the file's order, where the engine reads that file certainly as
 * `parseCsvRating` does; null, and nothing staged, where it may not. Throws AppError('busy') when aborted.
 */
export async function stageCsv(
  session: Session,
  { path, rows, signal }: CsvImport,
): Promise<StagedCsv | null> {
  try {
    const form = PATTERN.test(path) ? null : await readCsvForm(path)
    if (!form) return null
    const csv = { ...form, path, rows }
    // Looked through while the engine reads it; what cannot be looked through is not plain.
    const looking = countPlainRecords(path, form.newline, signal).catch(() => null)
    const order = await session
      .interruptible(signal, async () => await stageKeys(session.db, csv))
      .finally(async () => await looking)
    if (order && (await looking) === rows) return { ...csv, ...order }
  } catch {
    // Whatever was wrong with it, record by record is how it is found out.
  }
  await dropKeys(session.db)
  refuseAborted(signal)
  return null
}

/** Puts the staged keys in the place of `incoming`: what asks which ratings came is answered by them. */
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
  // Ids that only grow are each another: then they need not be counted.
  if (found.unordered > 0 && (await countIds(db)) !== csv.rows) return null
  return { isAscending: found.backward === 0 }
}

async function countIds(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ ids: number }>`select count(distinct id) as ids from keyed`.execute(
    db,
  )
  return rows[0]?.ids ?? 0
}

/** The id first: where it is not that of the derived row beside it, the engine throws. */
const CHECKED_FIELDS = sql.join(
  RATING_FIELDS.map((name) =>
    name === 'id'
      ? sql`case when id = derived_id then id else error('the file is not the one that was read before') end as id`
      : sql.ref(name),
  ),
)

/**
 * Puts a file's ratings into `rating_next`, each beside what was derived of it. Both stand in order of time and id, so nothing
 * is sorted or looked up. To read a file again is cheaper than to keep all of it aside. Throws where it was changed.
 */
export async function insertCsv(db: Kysely<Tables>, csv: StagedCsv): Promise<void> {
  await sql`
    insert into rating_next
    select ${CHECKED_FIELDS}, symbol_key, extra, ${DERIVED_NAMES}
    from ${csvRatings(csv)} as ratings positional join derived`.execute(db)
}

/** A file that the engine reads by itself: how it is written and how many records it holds. */
type CsvFile = CsvForm & { path: string; rows: number }

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

/** Empty cells of these are null; of any other they are empty texts. */
const NULLABLE = ['expired_at', 'expired_at_date']

/**
 * The records of a file in its order. Nothing is guessed and no record that is wrong is passed over: the engine throws. A
 * path is one file's, whatever stands in it. Line ends are left to it: told that they are CRLF, it finds no record.
 * Buffers are small, since they come on top of what the engine is allowed.
 */
function readCsv({ path, header }: CsvFile, typeOf: (name: string) => string) {
  const columns = header.map((name) => sql`${sql.lit(name)}: ${sql.lit(typeOf(name))}`)
  const notNull = header.filter((name) => !NULLABLE.includes(name)).map((name) => sql.lit(name))
  return sql`read_csv([${sql.lit(path)}],
    columns = {${sql.join(columns)}}, force_not_null = [${sql.join(notNull)}],
    auto_detect = false, header = true, delim = ',', quote = '', escape = '', comment = '', nullstr = '',
    encoding = 'utf-8', compression = 'none', max_line_size = 65536, buffer_size = 4194304,
    strict_mode = true, null_padding = false, ignore_errors = false,
    hive_partitioning = false, union_by_name = false, filename = false)`
}

/** A file's ratings as a run stages them, but for `seq`. Only for a file all of which was admitted. */
export const csvRatings = (csv: CsvFile): RawBuilder<unknown> => sql`(
  select ${FIELDS}, upper(symbol) as symbol_key, cast(null as text) as extra
  from ${readCsv(csv, (name) => INTEGERS[name] ?? 'text')})`

const typed = (name: string) =>
  sql`try_cast(${sql.ref(name)} as ${sql.raw(INTEGERS[name] ?? 'text')})`

/** What derived columns need of those records that are certainly ratings: of those that are perhaps, nothing. */
const selectAdmittedKeys = (csv: CsvFile) => sql`
  select ${typed('id')} as id, ${typed('user_id')} as user_id, upper(symbol) as symbol_key,
    ${typed('created_at')} as created_at, ${typed('rating')} as rating, ${typed('action')} as action,
    prediction, ${typed('expired_at')} as expired_at
  from ${readCsv(csv, () => 'text')}
  where ${sql.join(ADMISSION, sql` and `)}`

/** Written as the engine itself would write it: it reads more than the contract does, such as `1e3`, `7.0` and ` 7`. */
const isInteger = (name: string) => sql`cast(${typed(name)} as text) = ${sql.ref(name)}`

const isWithin = (name: string, first: number, last: number) =>
  sql`(${isInteger(name)} and ${typed(name)} between ${sql.lit(first)} and ${sql.lit(last)})`

/** Of ASCII a byte is a character, and a UTF-16 unit. */
const isLabel = (name: string) => sql`strlen(${sql.ref(name)}) <= 200`

const { MAX_SAFE_INTEGER, MIN_SAFE_INTEGER } = Number

/** What the contract says of a rating, of one in ASCII. Stricter in spelling, so that it may refuse what the contract admits. */
const ADMISSION = [
  isWithin('id', MIN_SAFE_INTEGER, MAX_SAFE_INTEGER),
  isWithin('user_id', MIN_SAFE_INTEGER, MAX_SAFE_INTEGER),
  isInteger('rating'),
  isInteger('action'),
  isWithin('tally_agree', 0, 2_147_483_647),
  isWithin('tally_disagree', 0, 2_147_483_647),
  isWithin('tally_comment', 0, 2_147_483_647),
  isWithin('created_at', 0, LAST_SECOND),
  sql`(expired_at is null or ${isWithin('expired_at', 0, LAST_SECOND)})`,
  sql`strlen(symbol) between 1 and ${sql.lit(SYMBOL_MAX_LENGTH)}`,
  isLabel('rating_label'),
  isLabel('action_label'),
  isLabel('created_at_date'),
  sql`(expired_at_date is null or ${isLabel('expired_at_date')})`,
  sql`regexp_full_match(prediction, '[+-]?[0-9]{1,12}([.][0-9]{1,6})?')`,
]

/** How a file's records are written: their cells' names in order, and what ends each. */
type CsvForm = { header: readonly string[]; newline: '\n' | '\r\n' }

const HEADER_MAX_BYTES = 4096
/** Looked through in about a millisecond, so that it holds up nobody. */
const READ_BYTES = 262_144

const [NUL, LF, CR, QUOTE, COMMA] = [0, 10, 13, 34, 44]
const COMMAS = RATING_FIELDS.length - 1

/**
 * How a file is written whose first line names the 15 fields, each once, with commas between; null for any other.
 * Throws what the file system throws.
 */
async function readCsvForm(path: string): Promise<CsvForm | null> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEADER_MAX_BYTES), 0)
    const end = buffer.subarray(0, bytesRead).indexOf(LF)
    const line = buffer.toString('latin1', 0, Math.max(end, 0))
    const newline = line.endsWith('\r') ? '\r\n' : '\n'
    const header = (newline === '\n' ? line : line.slice(0, -1)).split(',')
    return isPermutation(header) ? { header, newline } : null
  } finally {
    await file.close()
  }
}

const isPermutation = (header: readonly string[]) =>
  header.length === RATING_FIELDS.length && RATING_FIELDS.every((name) => header.includes(name))

/**
 * How many records follow the header of a file that is so plain that cells are what stands between commas and line ends,
 * whoever reads it: 15 in every line, no quotes, nothing but ASCII (so there is neither a byte order mark nor another case to
 * letters than theirs), and one kind of line end. null for any other file. Throws what the file system throws, and
 * where `signal` is aborted.
 */
async function countPlainRecords(
  path: string,
  newline: CsvForm['newline'],
  signal: AbortSignal,
): Promise<number | null> {
  const lines = createLineCheck(newline)
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES, signal })) {
    const bytes: Buffer = chunk
    if (!isAscii(bytes) || bytes.includes(QUOTE) || bytes.includes(NUL)) return null
    if (!lines.push(bytes)) return null
  }
  const count = lines.end()
  return count === null ? null : count - 1
}

/** As many commas in every line; and a CR only before LF, before all of them or before none. */
function createLineCheck(newline: CsvForm['newline']) {
  const returnsPerLine = newline === '\n' ? 0 : 1
  let [lines, commas, returns, before] = [0, 0, 0, LF]
  const isLine = () => commas === COMMAS && returns === returnsPerLine
  return {
    push(bytes: Buffer): boolean {
      for (const byte of bytes) {
        if (byte === COMMA) commas += 1
        else if (byte === CR) returns += 1
        else if (byte === LF) {
          if (!isLine() || (before === CR) !== (returnsPerLine === 1)) return false
          lines += 1
          commas = 0
          returns = 0
        }
        before = byte
      }
      return true
    },
    /** How many lines there were; null where the last, which may have no end, is none. */
    end() {
      if (before === LF) return lines
      return commas === COMMAS && returns === 0 ? lines + 1 : null
    },
  }
}
