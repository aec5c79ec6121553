import { EVERY, type LeagueCells, openLeague } from '#lib/archive/query/league-export.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import type { UnnamedSymbolRow } from '#lib/contract/answers/symbols.ts'
import type { SymbolsQuery } from '#lib/contract/api-queries.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { type LookedUp, type NameMatches, selectSymbolFigures } from './symbols.ts'

export const openSymbolsExport = async (
  reader: ArchiveReader,
  query: SymbolsQuery & NameMatches & LookedUp,
  options: ReadOptions,
) =>
  await openLeague(reader, options, async (snapshot) => {
    const { rows } = await selectSymbolFigures(snapshot, { ...query, ...EVERY }, options)
    return rows.map(toSymbolCells)
  })

const toSymbolCells = (row: Omit<UnnamedSymbolRow, 'spark'>): LeagueCells => ({
  ...row,
  first_created_at_date: toDateText(row.first_created_at),
  last_created_at_date: toDateText(row.last_created_at),
})
