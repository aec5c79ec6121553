import { sql } from 'kysely'
import type { ArchiveState, LineForm, LookupsExport } from '#lib/archive/archive.ts'
import type { Engine, Snapshot } from '#lib/archive/engine/duckdb-engine.ts'
import type { ExportFolder } from '#lib/archive/export-file.ts'
import { selectJournal, toLines, toPairs } from '#lib/archive/query/exports.ts'
import type { LookupRow } from '#lib/contract/answers/lookups.ts'
import type { LookupField, LookupsQuery } from '#lib/contract/lookups-query.ts'
import { toLookupConditions } from './conditions.ts'
import { orderLookups, withNames } from './select-lookups.ts'

export type LookupsSource = {
  engine: Engine
  exportFolder: ExportFolder
  state: () => ArchiveState
  now: () => number
}

/** Rows that are put together at a time: what an export holds in memory, however many there are. */
const WINDOW_ROWS = 20_480

/** Counts the rows of a query and holds the snapshot in which they were counted, to write them from. */
export async function openLookupsExport(
  { engine, exportFolder, ...known }: LookupsSource,
  { query, isEmpty }: { query: LookupsQuery; isEmpty: boolean },
  signal: AbortSignal | undefined,
): Promise<LookupsExport> {
  const snapshot = await engine.openSnapshot(signal)
  try {
    const declared = await snapshot.read(async ({ db }) => {
      await sql`create temporary table looked_up as ${isEmpty ? NOTHING : toOrdered(query)}`.execute(
        db,
      )
      const { rows } = await sql<{ rows: number }>`
        select count(*) as rows from looked_up`.execute(db)
      return { rows: rows[0]?.rows ?? 0, ...(await selectJournal(db, known)) }
    })
    return {
      ...declared,
      lines: (form, columns) => streamLines(snapshot, declared.rows, { form, columns }),
      writeParquet: async (columns, facts) => {
        const path = await exportFolder.newPath()
        const named = isEmpty ? sql`looked_up` : withNames(sql`looked_up`)
        return await exportFolder.keep(path, async () => {
          await snapshot.read(
            async ({ db }) =>
              await sql`
                copy (select ${toFields(columns)} from ${named} as named order by place) to ${sql.lit(path)}
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

const toFields = (columns: readonly LookupField[]) => sql.join(columns.map((name) => sql.ref(name)))

const toOrdered = (query: LookupsQuery) => sql`
  select id, symbol_no, source_no, room_no, created_at,
    row_number() over (order by ${orderLookups(query)}) - 1 as place
  from lookups.lookup where ${toLookupConditions(query)}`

/** Before any edition there is no table to ask. */
const NOTHING = sql`
  select cast(null as bigint) as id, '' as symbol, '' as source, '' as room_id,
    cast(null as bigint) as created_at, cast(null as bigint) as place
  where false`

async function* streamLines(
  snapshot: Snapshot,
  rows: number,
  { form, columns }: { form: LineForm; columns: readonly LookupField[] },
): AsyncGenerator<string[], void, undefined> {
  for (let from = 0; from < rows; from += WINDOW_ROWS) {
    const window = sql`(select * from looked_up
      where place >= ${sql.lit(from)} and place < ${sql.lit(from + WINDOW_ROWS)})`
    const { rows: named } = await snapshot.read(
      async ({ db }) =>
        await sql<LookupRow>`
          select id, symbol, source, room_id, created_at from ${withNames(window)} as named
          order by place`.execute(db),
    )
    yield* toLines(named, form, columns)
  }
}
