import { type RawBuilder, sql } from 'kysely'
import type { ExportColumn } from '#lib/contract/export-choice.ts'
import { FORMULA, FREE_TEXTS } from '#lib/contract/formula-safe.ts'
import type { LineForm } from './archive.ts'
import { stateAt, vanishedAt } from './rating-conditions.ts'

type Line = { form: LineForm; columns: readonly ExportColumn[]; at: number }

/** Numbers that JSON writes as texts, so that no digit is lost. */
const DECIMALS = new Set<ExportColumn>(['prediction', 'previous_prediction'])

/**
 * The expression that writes a row. The engine writes several times as many rows a second as we could, and on threads
 * of its own.
 */
export function toLine({ form, columns, at }: Line): RawBuilder<string> {
  const values = columns.map((name) => ({ name, value: toValue(name, at) }))
  if (form === 'json') {
    const members = values.flatMap(({ name, value }, index) => [
      sql.lit(`${index === 0 ? '{' : ','}"${name}":`),
      toJson(name, value),
    ])
    return sql`concat(${sql.join([...members, sql.lit('}')])})`
  }
  const cells = values.map(({ name, value }) => toCell(name, value, form === 'csv'))
  // An empty line would be no record at all to most readers.
  const [only, ...more] = cells
  if (only && more.length === 0) return sql`coalesce(nullif(${only}, ''), '""')`
  return sql`concat_ws(',', ${sql.join(cells)})`
}

const toValue = (name: ExportColumn, at: number): RawBuilder<unknown> =>
  name === 'state' ? stateAt(at) : name === 'vanished_at' ? vanishedAt(at) : sql.ref(name)

function toJson(name: ExportColumn, value: RawBuilder<unknown>): RawBuilder<string> {
  if (name === 'extra') return sql`coalesce(${value}, 'null')`
  if (FREE_TEXTS.has(name)) return sql`coalesce(cast(to_json(${value}) as varchar), 'null')`
  if (DECIMALS.has(name) || name === 'state') return sql`coalesce('"' || ${value} || '"', 'null')`
  return sql`coalesce(cast(${value} as varchar), 'null')`
}

/** What a program must quote to take it back as it was (RFC 4180); an empty text, so that it is not a missing one. */
const QUOTED = '[",\\r\\n]|^$'

function toCell(name: ExportColumn, value: RawBuilder<unknown>, isGuarded: boolean) {
  if (!FREE_TEXTS.has(name)) return sql<string>`coalesce(cast(${value} as varchar), '')`
  const quote = (text: RawBuilder<unknown>) => sql`'"' || replace(${text}, '"', '""') || '"'`
  const guarded = sql`regexp_replace(${value}, ${pattern(FORMULA)}, '\\1''\\2', 'g')`
  return sql<string>`case
    when ${value} is null then ''
    ${isGuarded ? sql`when regexp_matches(${value}, ${pattern(FORMULA)}) then ${quote(guarded)}` : sql``}
    when regexp_matches(${value}, ${pattern(QUOTED)}) then ${quote(value)}
    else ${value} end`
}

const pattern = (text: string) => sql.lit(text.replace(/\\u([0-9a-f]{4})/g, '\\x{$1}'))
