import type { LeagueExport, ReadOptions } from '#lib/archive/archive.ts'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { LeagueColumn } from '#lib/contract/export-choice.ts'
import { type Known, selectJournal, toLines } from './export-rows.ts'

/** More rows than any league has. */
export const EVERY = { page: 1, per_page: 2_000_000_000 }

export type LeagueSource = Known & { engine: Engine }

export type LeagueCells = Partial<Record<LeagueColumn, string | number | null>>

type LoadCells = (reader: Pick<Engine, 'read'>) => Promise<LeagueCells[]>

/** A league is small beside its ratings: its rows are read in one snapshot, held in memory, and the snapshot is closed. */
export async function openLeague(
  { engine, ...known }: LeagueSource,
  { signal }: ReadOptions,
  load: LoadCells,
): Promise<LeagueExport> {
  const snapshot = await engine.openSnapshot(signal)
  try {
    const cells = await load({
      read: async (work) => await snapshot.read(async ({ db }) => await work(db)),
    })
    const journal = await snapshot.read(async ({ db }) => await selectJournal(db, known))
    return {
      rows: cells.length,
      ...journal,
      lines: (form, columns) => toLines(cells, form, columns),
      close: async () => {},
    }
  } finally {
    await snapshot.close()
  }
}
