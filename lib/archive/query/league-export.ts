import type { ArchiveReader, SignalOptions } from '#lib/archive/reader.ts'
import type { LeagueColumn } from '#lib/contract/league-columns.ts'
import { type LineForm, type OpenExport, selectJournal, toLines } from './export-rows.ts'

export type LeagueExport = OpenExport & {
  lines(form: LineForm, columns: readonly LeagueColumn[]): AsyncGenerator<string[], void, undefined>
}

export const EVERY = { page: 1, per_page: 2_000_000_000 }

export type LeagueCells = Partial<Record<LeagueColumn, string | number | null>>

type LoadCells = (snapshot: Pick<ArchiveReader, 'read'>) => Promise<LeagueCells[]>

export async function openLeague(
  reader: ArchiveReader,
  { signal }: SignalOptions,
  load: LoadCells,
): Promise<LeagueExport> {
  const snapshot = await reader.openSnapshot(signal)
  try {
    const cells = await load({
      read: async (work) => await snapshot.read(async ({ db }) => await work(db)),
    })
    const journal = await snapshot.read(async ({ db }) => await selectJournal(db, reader))
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
