import { existsSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import { isBeyondAscii } from '#lib/archive/engine/symbol-keys.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { createQueue } from '#lib/async/serial-queue.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  beginStaging,
  dropStaged,
  type ImportedEdition,
  type LookupRecord,
  putInPlace,
  settle,
  stageFile,
  stageRecords,
} from './import-lookups.ts'

/** Seconds since 1970. */
export type LookupsState = {
  version: number
  edition: string | null
  sha256: string | null
  /** Exclusive. */
  knownTo: number | null
  columns: readonly string[]
  lookups: number
  firstCreatedAt: number | null
  lastCreatedAt: number | null
  before: number | null
  setAside: readonly { reason: string; rows: number }[]
  examples: readonly { line: number; reason: string; raw: string }[]
}

export type FillLookups = (run: {
  takeFile(file: { path: string; rows: number }): Promise<boolean>
  append(records: readonly LookupRecord[]): Promise<void>
}) => Promise<void>

export type Lookups = {
  state(): LookupsState
  /** Atomic. Throws what `fill` or the engine throws, or AppError('busy') when aborted. */
  replace(edition: ImportedEdition, fill: FillLookups, signal?: AbortSignal): Promise<void>
}

/** Creates the file on the first import. */
export async function openLookups(engine: Engine, path: string): Promise<Lookups> {
  let opening: Promise<Session> | null = null
  const attach = async () => {
    opening ??= attachLookups(engine, path)
    return await opening
  }
  let state = existsSync(path) ? await loadState((await attach()).db, 0) : NO_LOOKUPS
  const inTurn = createQueue()
  return {
    state: () => state,
    replace: async (edition, fill, signal) =>
      await inTurn(async () => {
        const session = await attach()
        try {
          await session.interruptible(signal, async () => {
            await beginStaging(session)
            await fill({
              takeFile: async (file) => await stageFile(session, file),
              append: async (records) => await stageRecords(session, records),
            })
            await settle(session.db, edition.knownTo)
            await putInPlace(session.db, edition)
          })
        } catch (error) {
          await dropStaged(session.db).catch(() => undefined)
          throw error
        }
        state = await loadState(session.db, state.version + 1)
      }),
  }
}

const NO_LOOKUPS: LookupsState = {
  version: 0,
  edition: null,
  sha256: null,
  knownTo: null,
  columns: [],
  lookups: 0,
  firstCreatedAt: null,
  lastCreatedAt: null,
  before: null,
  setAside: [],
  examples: [],
}

async function attachLookups(engine: Engine, path: string): Promise<Session> {
  const session = await engine.attach({ name: 'lookups', path })
  await sql`
    create table if not exists lookups.journal (
      edition text not null, sha256 text not null, known_to bigint not null, columns text not null,
      lookups bigint not null, first_created_at bigint, last_created_at bigint, lookups_before bigint
    )`.execute(session.db)
  await dropStaged(session.db)
  await forgetOtherKeys(session.db)
  return session
}

/** Look-ups under keys of an earlier version are imported again. */
async function forgetOtherKeys(db: Kysely<Tables>): Promise<void> {
  const { rows: imported } = await sql`select 1 from lookups.journal`.execute(db)
  if (imported.length === 0) return
  const { rows } = await sql<{ symbol: string }>`
    select symbol from lookups.symbol where ${isBeyondAscii('symbol')}`.execute(db)
  const isOther = rows.some(({ symbol }) => symbol !== toSymbolKey(symbol))
  if (isOther) await sql`delete from lookups.journal`.execute(db)
}

async function loadState(db: Kysely<Tables>, version: number): Promise<LookupsState> {
  const { rows } = await sql<Omit<LookupsState, 'version' | 'columns'> & { columns: string }>`
    select edition, sha256, known_to as "knownTo", columns, lookups, first_created_at as "firstCreatedAt",
      last_created_at as "lastCreatedAt", lookups_before as before
    from lookups.journal`.execute(db)
  const [found] = rows
  if (!found) return { ...NO_LOOKUPS, version }
  const setAside = await sql<LookupsState['setAside'][number]>`
    select reason, rows from lookups.set_aside order by rows desc, reason`.execute(db)
  const examples = await sql<LookupsState['examples'][number]>`
    select row as line, reason, raw from lookups.example order by row`.execute(db)
  return {
    ...found,
    version,
    columns: found.columns.split(','),
    setAside: setAside.rows,
    examples: examples.rows,
  }
}
