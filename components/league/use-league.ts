'use client'

import { useCallback, useMemo } from 'react'
import type * as z from 'zod/mini'
import { useAddress } from '#components/address/use-address.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { readLeniently } from '#lib/contract/read-leniently.ts'
import { type LeagueQuery, toLeagueParams } from './league-query.ts'

type Change<C extends string> = Partial<LeagueQuery<C>>

/** A league table's query, and the ways to change it: by a link's address, or at once. */
export type League<C extends string> = {
  query: LeagueQuery<C>
  /** The query as the API is asked it. */
  params: URLSearchParams
  /** The address as it stands, and what of it had to be ignored. */
  given: URLSearchParams
  ignored: readonly Issue[]
  hrefFor: (change: Change<C>) => string
  change: (change: Change<C>, how?: 'push' | 'replace') => void
}

/** Reads the league's query from the address of the page at `path`; `schema` without parameters is its standard. */
export function useLeague<C extends string>(
  path: string,
  schema: z.ZodMiniType<LeagueQuery<C>>,
): League<C> {
  const { params: given, write } = useAddress()
  const standard = useMemo(() => schema.parse({}), [schema])
  const { query, ignored } = useMemo(() => readLeniently(schema, given), [schema, given])
  const params = useMemo(() => toLeagueParams(query, standard), [query, standard])
  const toParams = useCallback(
    (change: Change<C>) => toLeagueParams({ ...query, page: 1, ...change }, standard),
    [query, standard],
  )
  return {
    query,
    params,
    given,
    ignored,
    hrefFor: (change) => `${path}${toQueryText(toParams(change))}`,
    change: (change, how) => write(toParams(change), how),
  }
}
