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
  WRITTEN_COLUMNS,
} from './shared-rows.ts'

export type Sharing = {
  merged(ids: RawBuilder<unknown> | null): Promise<void>
  /** Call last in the transaction. If it throws, roll back. */
  commit(): Promise<void>
  /** Call after commit and rollback. */
  close(): Promise<void>
}

export type SharingOptions = {
  share: ShareCommit
  newPath: () => Promise<string>
}

/**
 * Call before the transaction changes anything. Only an empty store accepts the first commit of a
 * non-replica.
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
      columns: WRITTEN_COLUMNS,
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

async function selectNewestQuarantined(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ newest: number | null }>`
    select max(rowid) as newest from quarantine`.execute(db)
  return rows[0]?.newest ?? -1
}

const STATE_NAMES = Object.keys(NOTHING_SHARED) as (keyof SharedState)[]

const isSameState = (a: SharedState, b: SharedState): boolean =>
  STATE_NAMES.every((name) => a[name] === b[name])
