import Papa from 'papaparse'
import type { ArchiveState, LeagueExport, LineForm, ReadOptions } from '#lib/archive/archive.ts'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { SymbolRow } from '#lib/contract/answers/symbols.ts'
import type { UserRow } from '#lib/contract/answers/users.ts'
import type { SymbolsQuery } from '#lib/contract/api-queries.ts'
import type { LeagueColumn } from '#lib/contract/export-choice.ts'
import { FREE_TEXTS, toFormulaSafe } from '#lib/contract/export-choice.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { selectJournal } from './ratings-export.ts'
import { selectSymbolFigures } from './symbols.ts'
import { type NarrowedUsersQuery, selectUserFigures } from './users.ts'

/** More than any league has: a file has no pages. */
const EVERY = { page: 1, per_page: 2_000_000_000 }

type Source = { engine: Engine; state: () => ArchiveState }

/** Every symbol of the query, and of which state of the archive they are. */
export const openSymbolsExport = async (source: Source, query: SymbolsQuery, at: ReadOptions) =>
  await openLeague(source, at, async (reader) => {
    const { rows } = await selectSymbolFigures(reader, { ...query, ...EVERY }, at)
    return rows.map(toSymbolCells)
  })

/** Every user of the query, and of which state of the archive they are. */
export const openUsersExport = async (source: Source, query: NarrowedUsersQuery, at: ReadOptions) =>
  await openLeague(source, at, async (reader) => {
    const { rows } = await selectUserFigures(reader, { ...query, ...EVERY }, at)
    return rows.map(toUserCells)
  })

type Cells = Partial<Record<LeagueColumn, string | number | null>>

const toSymbolCells = (row: Omit<SymbolRow, 'spark'>): Cells => ({
  ...row,
  first_created_at_date: toDateText(row.first_created_at),
  last_created_at_date: toDateText(row.last_created_at),
})

const toUserCells = (row: Omit<UserRow, 'activity'>): Cells => ({
  ...row,
  last_created_at_date: toDateText(row.last_created_at),
})

type LoadCells = (reader: Pick<Engine, 'read'>) => Promise<Cells[]>

/** A league is small beside its ratings: its rows are read in one snapshot and held, and the snapshot is given back. */
async function openLeague(
  { engine, state }: Source,
  { signal }: ReadOptions,
  load: LoadCells,
): Promise<LeagueExport> {
  const snapshot = await engine.openSnapshot(signal)
  try {
    const cells = await load({
      read: async (work) => await snapshot.read(async ({ db }) => await work(db)),
    })
    const journal = await snapshot.read(async ({ db }) => await selectJournal(db, state()))
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

const BATCH = 1024

async function* toLines(
  rows: readonly Cells[],
  form: LineForm,
  columns: readonly LeagueColumn[],
): AsyncGenerator<string[], void, undefined> {
  const toLine = form === 'json' ? toObject : toRecord(form === 'csv')
  for (let from = 0; from < rows.length; from += BATCH) {
    yield rows.slice(from, from + BATCH).map((row) => toLine(row, columns))
  }
}

const toObject = (row: Cells, columns: readonly LeagueColumn[]): string =>
  JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))

/** Only a symbol may be anything: the rest are figures and times. What was made safe stands in quotes, as in other files. */
const toRecord = (isGuarded: boolean) => (row: Cells, columns: readonly LeagueColumn[]) => {
  const given = columns.map((name) => row[name] ?? null)
  const safe = columns.map((name, index) => {
    const value = given[index] ?? null
    const isText = FREE_TEXTS.has(name) && typeof value === 'string'
    return isText && isGuarded ? toFormulaSafe(value) : value
  })
  const quotes = safe.map((value, index) => value === '' || value !== given[index])
  return Papa.unparse([safe], { quotes })
}
