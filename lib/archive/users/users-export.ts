import type { ReadOptions } from '#lib/archive/archive.ts'
import {
  EVERY,
  type LeagueCells,
  type LeagueSource,
  openLeague,
} from '#lib/archive/query/league-export.ts'
import type { UserRow } from '#lib/contract/answers/users.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { type NarrowedUsersQuery, selectUserFigures } from './users.ts'

/** Every user of the query, of one commit. */
export const openUsersExport = async (
  source: LeagueSource,
  query: NarrowedUsersQuery,
  at: ReadOptions,
) =>
  await openLeague(source, at, async (reader) => {
    const { rows } = await selectUserFigures(reader, { ...query, ...EVERY }, at)
    return rows.map(toUserCells)
  })

const toUserCells = (row: Omit<UserRow, 'activity'>): LeagueCells => ({
  ...row,
  last_created_at_date: toDateText(row.last_created_at),
})
