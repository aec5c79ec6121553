import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'

/** Of `columns` of ratings posted by `last`. */
export async function selectFingerprint(
  db: Kysely<Tables>,
  columns: readonly RawBuilder<unknown>[],
  last: number,
): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select concat_ws(' ', ${sql.lit(last)}, count(*), bit_xor(hash(${sql.join(columns)}))) as text
    from rating where created_at <= ${sql.lit(last)}`.execute(db)
  return rows[0]?.text ?? ''
}
