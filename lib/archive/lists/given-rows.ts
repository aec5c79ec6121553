import {
  type LineForm,
  type OpenExport,
  selectJournal,
  toGuard,
  toLines,
} from '#lib/archive/query/export-rows.ts'
import type { ArchiveReader, Rows, SignalOptions } from '#lib/archive/reader.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { type AnyList, selectColumns, toDateName } from '#lib/contract/lists/define-list.ts'

export const EVERY_ROW = { page: 1, per_page: 2_000_000_000 }

type Cells = Readonly<Record<string, string | number | null>>

/** Rows that TypeScript computes, where `ListRows` has SQL. */
export type GivenRows = {
  select: (snapshot: Pick<ArchiveReader, 'read'>) => Promise<Pick<Rows<Cells>, 'rows'>>
}

export type GivenExport = OpenExport & {
  lines(form: LineForm, columns: readonly string[]): AsyncGenerator<string[], void, undefined>
}

export async function openGivenExport(
  reader: ArchiveReader,
  list: AnyList,
  { select }: GivenRows,
  { signal }: SignalOptions,
): Promise<GivenExport> {
  const snapshot = await reader.openSnapshot(signal)
  try {
    const { rows } = await select({
      read: async (work) => await snapshot.read(async ({ db }) => await work(db)),
    })
    const cells = rows.map((row) => ({ ...row, ...toDates(list, row) }))
    const journal = await snapshot.read(async ({ db }) => await selectJournal(db, reader))
    return {
      rows: cells.length,
      ...journal,
      lines: (form, columns) => toLines(cells, form, columns, toGuard(list)),
      close: async () => {},
    }
  } finally {
    await snapshot.close()
  }
}

function toDates(list: AnyList, row: Cells): Cells {
  const dates = selectColumns(list, 'export').flatMap(([name, { dated }]) =>
    dated ? [[toDateName(name), toDateText(Number(row[name]))]] : [],
  )
  return Object.fromEntries(dates)
}
