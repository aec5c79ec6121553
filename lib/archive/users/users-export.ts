import {
  EVERY,
  type LeagueCells,
  type LeagueExport,
  openLeague,
} from '#lib/archive/query/league-export.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import type { UserRow } from '#lib/contract/answers/users.ts'
import type { NearUsersQuery } from '#lib/contract/api-queries.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { narrowUsers, selectUserFigures } from './users.ts'

export async function openUsersExport(
  reader: ArchiveReader,
  query: NearUsersQuery,
  options: ReadOptions,
): Promise<LeagueExport> {
  const narrowed = await narrowUsers(reader, query, options)
  return await openLeague(reader, options, async (snapshot) => {
    const { rows } = await selectUserFigures(snapshot, { ...narrowed, ...EVERY }, options)
    return rows.map(toUserCells)
  })
}

const toUserCells = (row: Omit<UserRow, 'activity'>): LeagueCells => ({
  ...row,
  last_created_at_date: toDateText(row.last_created_at),
})
