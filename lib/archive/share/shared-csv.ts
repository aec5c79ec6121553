import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { SharedColumns } from './shared-rows.ts'

const MARK = 'chr(1)'
const NULL_CHARACTER = 'chr(0)'

/**
 * PostgreSQL cannot store U+0000: texts that contain it or start with U+0001 get a U+0001 prefix
 * and escapes.
 */
export const toSharedText = (name: string): string => `
  case when contains(${name}, ${NULL_CHARACTER}) or starts_with(${name}, ${MARK})
  then ${MARK} || replace(replace(${name}, ${MARK}, ${MARK} || '1'), ${NULL_CHARACTER}, ${MARK} || '0')
  else ${name} end`

const fromSharedText = (name: string): string => `
  case when starts_with(${name}, ${MARK})
  then replace(replace(substr(${name}, 2), ${MARK} || '0', ${NULL_CHARACTER}), ${MARK} || '1', ${MARK})
  else ${name} end`

/** Quotes every text, so that empty differs from null. */
export async function writeSharedCsv(
  db: Kysely<Tables>,
  { path, columns, from, tail }: SharedCsv,
): Promise<number> {
  const { names, texts } = columns
  const selected = names.map((name) =>
    texts.includes(name) ? sql.raw(`${toSharedText(name)} as ${name}`) : sql.ref(name),
  )
  const { rows } = await sql<{ Count: number }>`
    copy (select ${sql.join(tail ? [...selected, tail] : selected)} ${from})
    to ${sql.lit(path)} (
      format csv, header false, use_tmp_file false,
      force_quote (${sql.join(texts.map((name) => sql.ref(name)))})
    )`.execute(db)
  return rows[0]?.Count ?? 0
}

type SharedCsv = {
  path: string
  columns: SharedColumns
  from: RawBuilder<unknown>
  tail?: RawBuilder<unknown>
}

/** Pages have at most 8 MiB; escaping may double quotes. */
const LINE_BYTES = 32 * 1024 * 1024

/** Quoted line ends break parallel reads. */
export function readSharedCsv(path: string, { names, texts }: SharedColumns): RawBuilder<unknown> {
  const types = names.map(
    (name) => sql`${sql.lit(name)}: ${sql.lit(texts.includes(name) ? 'text' : 'bigint')}`,
  )
  const selected = names.map((name) =>
    texts.includes(name) ? sql.raw(`${fromSharedText(name)} as ${name}`) : sql.ref(name),
  )
  return sql`(
    select ${sql.join(selected)} from read_csv([${sql.lit(path)}],
      columns = {${sql.join(types)}}, auto_detect = false, header = false, parallel = false,
      delim = ',', new_line = '\\n', quote = '"', escape = '"', comment = '', nullstr = '', allow_quoted_nulls = false,
      encoding = 'utf-8', compression = 'none', strict_mode = true, null_padding = false, ignore_errors = false,
      max_line_size = ${sql.lit(LINE_BYTES)}, buffer_size = ${sql.lit(LINE_BYTES)},
      hive_partitioning = false, union_by_name = false, filename = false)
  ) as shared`
}
