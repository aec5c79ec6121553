import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { countsOptions, pageOptions } from '#lib/client/list-options.ts'
import { useUrlQuery } from '#lib/client/url-query.ts'
import type { Issue } from '#lib/contract/faults.ts'
import type { Question } from '#lib/contract/operations/operation.ts'
import type { Parameter } from '#lib/contract/query-parameters.ts'
import {
  type Parameters,
  type QuerySchema,
  toParams,
  toQueryText,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'

export type ListView<Q> = {
  query: Q
  /** Of the API. */
  params: URLSearchParams
  given: URLSearchParams
  ignored: readonly Issue[]
  hrefFor: (change: Partial<Q>) => string
  change: (change: Partial<Q>, history?: 'push' | 'replace') => void
}

type Paged = Parameters & { page: Parameter<number> }

/** `asked`: the query of the API, by default that of the page. */
export function useListView<P extends Paged>(
  path: string,
  schema: QuerySchema<P>,
  asked: Pick<QuerySchema<Parameters>, 'parameters' | 'order'> = schema,
): ListView<ValuesOf<P>> {
  const { query, ignored, params: given, setQuery } = useUrlQuery(schema)
  const params = useMemo(() => toParams<Parameters>(asked, query), [asked, query])
  const change = useCallback(
    (changed: Partial<ValuesOf<P>>, history?: 'push' | 'replace') =>
      setQuery((last) => ({ ...last, page: 1, ...changed }), history),
    [setQuery],
  )
  return {
    query,
    params,
    given,
    ignored,
    change,
    hrefFor: (changed) =>
      `${path}${toQueryText(toParams(schema, { ...query, page: 1, ...changed }))}`,
  }
}

type ListQuestion<Q extends Question, P extends Parameters> = Q & { query: QuerySchema<P> }

export function useList<P extends Paged, Q extends Question, F extends Question>(
  path: string,
  { page, facets }: { page: ListQuestion<Q, P>; facets: ListQuestion<F, P> },
) {
  const view = useListView(path, page.query)
  const answer = useQuery(pageOptions<Q, P>(page, view.query))
  const counts = useQuery(countsOptions<F, P>(facets, view.query))
  return { view, answer, counts }
}
