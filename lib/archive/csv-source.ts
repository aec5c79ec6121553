import { type RawBuilder, sql } from 'kysely'
import { LAST_SECOND, SYMBOL_MAX_LENGTH } from '#lib/contract/rating-fields.ts'
import type { CsvForm } from './csv-text.ts'
import { FIELDS } from './derived-columns.ts'

/** A file that the engine reads by itself: how it is written and how many records it holds. */
export type CsvFile = CsvForm & { path: string; rows: number }

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
export const selectAdmittedKeys = (csv: CsvFile) => sql`
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
