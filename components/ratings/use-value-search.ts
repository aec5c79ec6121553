'use client'

import {
  type QueryKey,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#components/format/count.ts'
import type { TypeaheadOption } from '#components/ui/typeahead-list.tsx'
import { toSearchParamsOf, toSearchState } from './search-params.ts'

/** How the values of one kind are searched: what is asked of the API, and the options that an answer holds. */
type ValueSource<A, K extends QueryKey> = {
  ask: (params: URLSearchParams) => UseQueryOptions<A, Error, A, K>
  toFound: (answer: A) => readonly { value: string; label: string; ratings: number }[]
}

/** A search for values, asked as it is typed into; nothing is asked before somebody begins. */
export function useValueSearch<A, K extends QueryKey>({ ask, toFound }: ValueSource<A, K>) {
  const [text, setText] = useState('')
  const [isUsed, setIsUsed] = useState(false)
  const client = useQueryClient()
  const asked = ask(toSearchParamsOf(text.replace(/^\s*#/, '')))
  const found = useQuery({ ...asked, enabled: isUsed })
  const toOptions = (answer: A | undefined): TypeaheadOption[] =>
    answer === undefined
      ? []
      : toFound(answer).map(({ ratings, ...rest }) => ({ ...rest, detail: formatCount(ratings) }))
  return {
    text,
    setText,
    options: toOptions(found.data),
    state: toSearchState(found),
    /** Somebody is about to search. */
    begin: () => setIsUsed(true),
    /** What is found by the text that stands there, waiting for it where it must. */
    load: async () => {
      const { queryKey, queryFn } = asked
      return toOptions(await client.fetchQuery({ queryKey, queryFn }).catch(() => undefined))
    },
  }
}

export type ValueSearch = ReturnType<typeof useValueSearch>
