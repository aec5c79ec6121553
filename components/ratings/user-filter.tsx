'use client'

import { useCallback } from 'react'
import { usersOptions } from '#lib/client/query-options.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { UsersPage } from '#lib/contract/answers/users.ts'
import { toTopRows } from './facet-rows.ts'
import type { QueryProps } from './query-change.ts'
import { selectFilters } from './select-filters.ts'
import { useToggle } from './use-toggle.ts'
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
  const { toggle, reset } = useToggle('user', query, change)
  const rows = toTopRows({ top: facets?.user, chosen: query.user, most: MOST })
  const isNarrowed = selectFilters(query).some(({ name }) => name !== 'user')
  return (
    <ValueFilter
      legend="User"
      placeholder="Find a user by number"
      total={facets && { count: facets.distinct.users, of: 'users' }}
      rows={rows.map((row) => ({ ...row, value: String(row.value), label: `#${row.label}` }))}
      reserved={MOST}
      search={useValueSearch(USERS, isNarrowed)}
      chosen={query.user.only.map(String)}
      onToggle={useCallback((user, how) => toggle(Number(user), how), [toggle])}
      onReset={reset}
    />
  )
}
