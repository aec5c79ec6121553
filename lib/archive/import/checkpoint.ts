import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'

/** From so many changed rows on, a commit is written out of the log into the file at once. */
const CHECKPOINT_ROWS = 50_000

/**
 * Writes what stands in the log into the file. Not possible while a reader holds an older snapshot: the engine then does it by
 * itself later.
 */
export async function checkpoint(db: Kysely<Tables>): Promise<void> {
  try {
    await sql`checkpoint`.execute(db)
  } catch {
    // The commit stands in the log either way.
  }
}

/** The same behind a commit that changed many rows. */
export async function checkpointAfter(db: Kysely<Tables>, changedRows: number): Promise<void> {
  if (changedRows >= CHECKPOINT_ROWS) await checkpoint(db)
}
