import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'

const CHECKPOINT_ROWS = 50_000

/** Fails while a reader holds an older snapshot; the engine then checkpoints later. */
export async function checkpoint(db: Kysely<Tables>): Promise<void> {
  try {
    await sql`checkpoint`.execute(db)
  } catch {
    // The log already holds the commit.
  }
}

export async function checkpointAfter(db: Kysely<Tables>, changedRows: number): Promise<void> {
  if (changedRows >= CHECKPOINT_ROWS) await checkpoint(db)
}
