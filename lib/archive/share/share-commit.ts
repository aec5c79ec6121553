import { rm } from 'node:fs/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ShareCommit, SharedState } from '#lib/archive/archive.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { loadApplied, loadSharedState, noteApplied } from './applied.ts'
import { writeSharedCsv } from './shared-csv.ts'
import {
  NOTHING_APPLIED,
  NOTHING_SHARED,
  QUARANTINE_COLUMNS,
  RATING_COLUMNS,
} from './shared-rows.ts'

/** How an import's commit is written into a store before it is one here. */
export type Sharing = {
  /** To be called when ratings are merged: `ids` selects those that are another than before, null stands for all. */
  merged(ids: RawBuilder<unknown> | null): Promise<void>
  /** To be called last, within the transaction. Throws what the store does: then nothing may be committed. */
  commit(): Promise<void>
  /** To be called however the transaction ended. */
  close(): Promise<void>
}

export type SharingOptions = {
  share: ShareCommit
  /** A new path in a folder that nobody else may look into. */
  newPath: () => Promise<string>
}

/**
 * Begins it, within the transaction and before it changes anything. An archive that is nobody's replica yet brings all it
 * holds with its first commit: a store that is empty takes it, any other one refuses.
 */
export async function openSharing(
  db: Kysely<Tables>,
  { share, newPath }: SharingOptions,
): Promise<Sharing> {
  const applied = await loadApplied(db)
  const before = applied ? await loadSharedState(db) : NOTHING_SHARED
  const newestRow = applied ? await selectNewestQuarantined(db) : -1
  const files: { rows: string | null; quarantine: string | null } = { rows: null, quarantine: null }
  let changedRows = 0

  const writeRows = async (generation: number, ids: RawBuilder<unknown> | null) => {
    files.rows = await newPath()
    changedRows = await writeSharedCsv(db, {
      path: files.rows,
      columns: RATING_COLUMNS,
      from: sql`from rating ${ids ? sql`where id in (${ids})` : sql``}`,
      tail: sql`cast(${sql.lit(generation)} as bigint) as changed`,
    })
  }
  const writeQuarantine = async () => {
    files.quarantine = await newPath()
    const from = sql`from quarantine where rowid > ${sql.lit(newestRow)} order by rowid`
    await writeSharedCsv(db, { path: files.quarantine, columns: QUARANTINE_COLUMNS, from })
  }
  return {
    async merged(ids) {
      if (applied) await writeRows(before.generation + 1, ids)
    },
    async commit() {
      const state = await loadSharedState(db)
      if (isSameState(before, state)) return
      if (!applied) await writeRows(state.generation, null)
      if (state.quarantined > 0) await writeQuarantine()
      const since = applied ?? NOTHING_APPLIED
      await noteApplied(db, await share({ before: since, state, files, changedRows }))
    },
    async close() {
      for (const path of Object.values(files)) if (path) await rm(path, { force: true })
    },
  }
}

/** Rows of the transaction itself are behind it, whatever their places will be. */
async function selectNewestQuarantined(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ newest: number | null }>`
    select max(rowid) as newest from quarantine`.execute(db)
  return rows[0]?.newest ?? -1
}

const STATE_NAMES = Object.keys(NOTHING_SHARED) as (keyof SharedState)[]

/** Whether nothing changed that a store holds: another rating means another generation. */
const isSameState = (a: SharedState, b: SharedState): boolean =>
  STATE_NAMES.every((name) => a[name] === b[name])
