'use client'

import { useCallback, useMemo } from 'react'
import { useZonedAddress } from '#components/address/use-zoned-address.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { withZone } from '#lib/contract/outlook.ts'
import {
  type Parameter,
  type QuerySchema,
  readLeniently,
  toDefaults,
} from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { type LeagueQuery, toLeagueParams } from './league-query.ts'

/** The parameters of a league table's query. */
type LeagueSchema<C extends string> = QuerySchema<{
  [K in keyof LeagueQuery<C>]: Parameter<LeagueQuery<C>[K]>
}>

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
export function useLeague<C extends string>(path: string, schema: LeagueSchema<C>): League<C> {
  const { given, params: asked, zone, ignored: badZone, write } = useZonedAddress()
  const standard = useMemo(() => toDefaults(schema), [schema])
  const { query, ignored } = useMemo(() => readLeniently(schema, asked), [schema, asked])
  const params = useMemo(() => toLeagueParams(query, standard), [query, standard])
  const toParams = useCallback(
    (change: Change<C>) => toLeagueParams({ ...query, page: 1, ...change }, standard),
    [query, standard],
  )
  return {
    query,
    params,
    given,
    ignored: [...badZone, ...ignored],
    hrefFor: (change) => `${path}${toQueryText(withZone(toParams(change), zone))}`,
    change: (change, how) => write(toParams(change), how),
  }
}
