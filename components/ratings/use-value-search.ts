'use client'

import {
  type QueryKey,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { useAsof } from '#components/address/outlook.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import type { TypeaheadOption } from '#components/ui/typeahead.tsx'
import { toSearchParamsOf, toSearchState } from './search-params.ts'

/** How the values of one kind are searched: what is asked of the API, and the options that an answer holds. */
type ValueSource<A, K extends QueryKey> = {
  ask: (params: URLSearchParams) => UseQueryOptions<A, Error, A, K>
  toFound: (answer: A) => readonly { value: string; label: string; ratings: number }[]
}

/** A minus before what is looked for takes it out, as in an address; `#` is how users are written. */
const WRITTEN = /^\s*([-−]?)\s*#?\s*/

/**
 * A search for values, asked as it is typed into; nothing is asked before somebody begins. It looks among all ratings:
 * where the list below it counts fewer (`isNarrowed`), its own counts say that they are of all.
 */
export function useValueSearch<A, K extends QueryKey>(
  { ask, toFound }: ValueSource<A, K>,
  isNarrowed: boolean,
) {
  const { formatCount } = useFormats()
  const [text, setText] = useState('')
  const [isUsed, setIsUsed] = useState(false)
  const client = useQueryClient()
  const sought = text.replace(WRITTEN, '').trim()
  const asked = ask(toSearchParamsOf(sought, useAsof()))
  const found = useQuery({ ...asked, enabled: isUsed })
  const toDetail = (ratings: number) => `${formatCount(ratings)}${isNarrowed ? ' in all' : ''}`
  const toOptions = (answer: A | undefined): TypeaheadOption[] =>
    answer === undefined
      ? []
      : toFound(answer).map(({ ratings, ...rest }) => ({ ...rest, detail: toDetail(ratings) }))
  return {
    text,
    setText,
    /** What is looked for. */
    asked: sought,
    /** What is found is to be taken out. */
    isNot: WRITTEN.exec(text)?.[1] !== '',
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
