import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Reads every value of a table. Throws what the engine says of the first block that does not bear its own checksum. */
export async function readTable(db: Kysely<Tables>, name: string): Promise<void> {
  await sql`select bit_xor(hash(each)) = 0 as hash from ${sql.table(name)} as each`.execute(db)
}
