'use client'

import { useCallback } from 'react'
import type { Quality } from '#lib/contract/quality.ts'
import { ANY, type Chosen, isAny, toToggled } from '#lib/contract/value-list.ts'
import { type ChangeQuery, type QueryProps, withFilter } from './query-change.ts'

/** The lists that the rail shows line by line, and what their values are. */
type Lists = { symbol: string; user: number; rating: number; action: number; quality: Quality }

/** What a list of the rail does to the view: a value in or out, and, where any is, none of them any more. */
export function useToggle<L extends keyof Lists>(
  list: L,
  query: QueryProps['query'],
  change: ChangeQuery,
) {
  const toggle = useCallback(
    (value: Lists[L], how: keyof Chosen<unknown>) =>
      change((view) => {
        // The view's lists are told apart by their names alone.
        const chosen: Chosen<string | number> = view[list]
        return withFilter(view, { [list]: toToggled<string | number>(chosen, value, how) })
      }),
    [list, change],
  )
  const reset = useCallback(
    () => change((view) => withFilter(view, { [list]: ANY })),
    [list, change],
  )
  return { toggle, reset: isAny(query[list]) ? undefined : reset }
}
