'use client'

import { useQuery } from '@tanstack/react-query'
import { Count } from '#components/format/number-text.tsx'
import { LeagueScreen } from '#components/league/league-screen.tsx'
import type { LeagueColumn } from '#components/league/league-table.tsx'
import { useLeague } from '#components/league/use-league.ts'
import { Instant } from '#components/time/instant.tsx'
import { ZonedLink } from '#components/time/zoned-link.tsx'
import { usersOptions } from '#lib/client/query-options.ts'
import type { UserRow } from '#lib/contract/answers/users.ts'
import { type USER_SORTS, usersQuery } from '#lib/contract/other-queries.ts'

const COLUMNS: readonly LeagueColumn<UserRow, (typeof USER_SORTS)[number]>[] = [
  {
    label: 'User',
    sort: 'user_id',
    usual: 'asc',
    render: ({ user_id }) => (
      <ZonedLink className="font-semibold hover:underline" href={`/users/${user_id}`}>
        #{user_id}
      </ZonedLink>
    ),
  },
  {
    label: 'Ratings',
    sort: 'ratings',
    usual: 'desc',
    numeric: true,
    render: ({ ratings }) => <Count of={ratings} />,
  },
  {
    label: 'Symbols',
    sort: 'symbols',
    usual: 'desc',
    numeric: true,
    render: ({ symbols }) => <Count of={symbols} />,
  },
  {
    label: 'Last rated',
    sort: 'last_created_at',
    usual: 'desc',
    numeric: true,
    render: ({ last_created_at }) => <Instant seconds={last_created_at} />,
  },
]

/** Every member who ever rated, as a league table. */
export function UsersScreen() {
  const league = useLeague('/users', usersQuery)
  const answer = useQuery(usersOptions(league.params))
  return (
    <LeagueScreen
      answer={answer}
      columns={COLUMNS}
      league={league}
      name="Users"
      one="user"
      rowKey={(row) => row.user_id}
      search={{
        label: 'Search users by number',
        placeholder: 'Find a user by number',
        inputMode: 'numeric',
      }}
    />
  )
}
