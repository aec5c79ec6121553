import { sql } from 'kysely'
import type { ArchiveState, CallSet, CallsExport, LineForm } from '#lib/archive/archive.ts'
import type { Engine, Snapshot } from '#lib/archive/engine/duckdb-engine.ts'
import type { ExportFolder } from '#lib/archive/export-file.ts'
import { selectJournal, toLines, toPairs } from '#lib/archive/query/exports.ts'
import type { CallColumn } from '#lib/contract/export-choice.ts'
import { callColumns, callOrder, selectCalls, selectSet, withTexts } from './calls.ts'

type Source = {
  engine: Engine
  exportFolder: ExportFolder
  state: () => ArchiveState
  now: () => number
}

/** Calls that are put together at a time. */
const WINDOW_ROWS = 20_480

/** Counts the calls of a set and holds the snapshot in which they were counted, to write them from. */
export async function openCalls(
  { engine, exportFolder, ...known }: Source,
  set: CallSet,
  signal: AbortSignal | undefined,
): Promise<CallsExport> {
  const snapshot = await engine.openSnapshot(signal)
  try {
    const declared = await snapshot.read(async ({ db }) => {
      await sql`
        create temporary table called as
        select *, row_number() over (order by ${callOrder(set.sort)}) - 1 as place
        from ${selectSet(set)} as calls`.execute(db)
      const { rows } = await sql<{ rows: number }>`select count(*) as rows from called`.execute(db)
      return { rows: rows[0]?.rows ?? 0, ...(await selectJournal(db, known)) }
    })
    return {
      ...declared,
      lines: (form, columns) => streamLines(snapshot, declared.rows, { form, columns }),
      writeParquet: async (columns, facts) => {
        const path = await exportFolder.newPath()
        const typed = callColumns('typed', columns)
        return await exportFolder.keep(path, async () => {
          await snapshot.read(
            async ({ db }) =>
              await sql`
                copy (select ${typed} from ${withTexts(sql`called`)} as texted order by place) to ${sql.lit(path)}
                (format parquet, compression zstd, kv_metadata {${toPairs(facts)}})`.execute(db),
          )
        })
      },
      close: async () => await snapshot.close(),
    }
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

async function* streamLines(
  snapshot: Snapshot,
  rows: number,
  { form, columns }: { form: LineForm; columns: readonly CallColumn[] },
): AsyncGenerator<string[], void, undefined> {
  for (let from = 0; from < rows; from += WINDOW_ROWS) {
    const window = sql`(select * from called
      where place >= ${sql.lit(from)} and place < ${sql.lit(from + WINDOW_ROWS)})`
    const calls = await snapshot.read(async ({ db }) => await selectCalls(db, window))
    yield* toLines(calls, form, columns)
  }
}
