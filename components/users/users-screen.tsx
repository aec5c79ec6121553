'use client'

import { useQuery } from '@tanstack/react-query'
import { LeagueScreen } from '#components/league/league-screen.tsx'
import { useLeague } from '#components/league/use-league.ts'
import { usersOptions } from '#lib/client/query-options.ts'
import type { UserRow } from '#lib/contract/answers/users.ts'
import { usersQuery } from '#lib/contract/api-queries.ts'
import { USER_COLUMNS, type UserSort } from './user-columns.tsx'

/** Every member who ever rated, as a league table. */
export function UsersScreen() {
  const league = useLeague('/users', usersQuery)
  const answer = useQuery(usersOptions(league.params))
  return (
    <LeagueScreen<UserRow, UserSort>
      answer={answer}
      columns={USER_COLUMNS}
      league={league}
      name="Users"
      one="user"
      rowKey={(row) => row.user_id}
      search={{
        label: 'Search users by number',
        placeholder: 'Find a user by number',
        inputMode: 'numeric',
      }}
    >
      Agreement is the share of votes that agreed, as last seen; bias is how far the active ratings
      stand from those of the others on the same symbols. Both are ordered by a bound that few votes
      or ratings hold back: the rule stands beside each heading.
    </LeagueScreen>
  )
}
