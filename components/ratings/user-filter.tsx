'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#components/format/count.ts'
import { usersOptions } from '#lib/client/query-options.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { UsersPage } from '#lib/contract/answers/users.ts'
import { toTopRows } from './facet-rows.ts'
import { type QueryProps, toToggled, withFilter } from './query-change.ts'
import { toSearchParamsOf, toSearchState } from './search-params.ts'
import { ValueFilter } from './value-filter.tsx'

const MOST = 5

/** The filter by member: any by the beginning of the number, and those with the most ratings. */
export function UserFilter({ query, change, facets }: QueryProps & { facets?: Facets }) {
  const [text, setText] = useState('')
  const [isUsed, setIsUsed] = useState(false)
  const client = useQueryClient()
  const asked = usersOptions(toSearchParamsOf(text.replace(/^\s*#/, '')))
  const found = useQuery({ ...asked, enabled: isUsed })
  const search = {
    text,
    setText,
    options: toOptions(found.data),
    state: toSearchState(found),
    begin: () => setIsUsed(true),
    load: async () => toOptions(await client.fetchQuery(asked).catch(() => undefined)),
  }
  const top = toTopRows({ top: facets?.user, chosen: query.user, most: MOST })
  return (
    <ValueFilter
      legend="User"
      placeholder="Find a user by number"
      rows={top.map((row) => ({ ...row, label: `#${row.label}` }))}
      reserved={MOST}
      search={search}
      chosen={query.user.map(String)}
      onToggle={(user) =>
        change((last) => withFilter(last, { user: toToggled(last.user, Number(user)) }))
      }
    />
  )
}

const toOptions = (page: UsersPage | undefined) =>
  (page?.data ?? []).map(({ user_id, ratings }) => ({
    value: String(user_id),
    label: `#${user_id}`,
    detail: formatCount(ratings),
  }))
