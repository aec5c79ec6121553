'use client'

import { usersOptions } from '#lib/client/query-options.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { UsersPage } from '#lib/contract/answers/users.ts'
import { toToggled } from '#lib/contract/value-list.ts'
import { toTopRows } from './facet-rows.ts'
import { type QueryProps, withFilter } from './query-change.ts'
import { useValueSearch } from './use-value-search.ts'
import { ValueFilter } from './value-filter.tsx'

const MOST = 5

const USERS = {
  ask: (params: URLSearchParams) => usersOptions(params),
  toFound: ({ data }: UsersPage) =>
    data.map(({ user_id, ratings }) => ({
      value: String(user_id),
      label: `#${user_id}`,
      ratings,
    })),
}

/** The filter by member: any by the beginning of the number, and those with the most ratings. */
export function UserFilter({ query, change, facets }: QueryProps & { facets?: Facets }) {
  const top = toTopRows({ top: facets?.user, chosen: query.user, most: MOST })
  return (
    <ValueFilter
      legend="User"
      placeholder="Find a user by number"
      rows={top.map((row) => ({ ...row, label: `#${row.label}` }))}
      reserved={MOST}
      search={useValueSearch(USERS)}
      chosen={query.user.only.map(String)}
      onToggle={(user) =>
        change((last) => withFilter(last, { user: toToggled(last.user, Number(user)) }))
      }
    />
  )
}
