'use client'

import { useQueries } from '@tanstack/react-query'
import { formatCounted } from '#components/format/count.ts'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { ratingsOptions } from '#lib/client/query-options.ts'
import { type QueryProps, withoutFilters } from './query-change.ts'
import { QueryLink } from './query-link.tsx'
import { selectFilters } from './select-filters.ts'

/** No rating passes every filter: what taking away each of them would bring, the most first. */
export function NoMatch({ query, change }: QueryProps) {
  const filters = selectFilters(query)
  const counts = useQueries({
    queries: filters.map(({ drop }) => ({
      ...ratingsOptions({ ...drop(query), per_page: 1 }),
      placeholderData: undefined,
    })),
  })
  const ways = filters
    .map((filter, index) => ({ ...filter, total: counts[index]?.data?.page.total ?? null }))
    .filter(({ total }) => total !== 0)
    .sort((a, b) => (b.total ?? 0) - (a.total ?? 0))
  return (
    <EmptyState
      title="No rating matches"
      action={
        <QueryLink to={withoutFilters(query)} change={change} className="link">
          Clear all filters
        </QueryLink>
      }
    >
      {ways.length === 0 ? (
        <p>No single filter is to blame: each of them taken away alone leaves nothing still.</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {ways.map(({ name, isNot, values, drop, total }) => (
            <li key={`${name} ${isNot}`}>
              <QueryLink to={drop(query)} change={change} className="link">
                Without {isNot && 'not '}
                {name} <b>{values.join(', ')}</b>
              </QueryLink>
              {total === null ? '' : `: ${formatCounted(total, 'rating')}`}
            </li>
          ))}
        </ul>
      )}
    </EmptyState>
  )
}
