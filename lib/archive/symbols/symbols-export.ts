import type { LookedUp, Named, ReadOptions } from '#lib/archive/archive.ts'
import {
  EVERY,
  type LeagueCells,
  type LeagueSource,
  openLeague,
} from '#lib/archive/query/league-export.ts'
import type { UnnamedSymbolRow } from '#lib/contract/answers/symbols.ts'
import type { SymbolsQuery } from '#lib/contract/api-queries.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { selectSymbolFigures } from './symbols.ts'

/** Every symbol of the query, of one commit. */
export const openSymbolsExport = async (
  source: LeagueSource,
  query: SymbolsQuery & Named & LookedUp,
  at: ReadOptions,
) =>
  await openLeague(source, at, async (reader) => {
    const { rows } = await selectSymbolFigures(reader, { ...query, ...EVERY }, at)
    return rows.map(toSymbolCells)
  })

const toSymbolCells = (row: Omit<UnnamedSymbolRow, 'spark'>): LeagueCells => ({
  ...row,
  first_created_at_date: toDateText(row.first_created_at),
  last_created_at_date: toDateText(row.last_created_at),
})
