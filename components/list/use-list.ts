import { useQuery } from '@tanstack/react-query'
import { useListView } from '#components/address/use-list-view.ts'
import { countsOptions, pageOptions } from '#lib/client/list-options.ts'
import type { Question } from '#lib/contract/operations/operation.ts'
import type { Parameter } from '#lib/contract/query-parameters.ts'
import type { Parameters, QuerySchema } from '#lib/contract/query-schema.ts'

type ListQuestion<Q extends Question, P extends Parameters> = Q & { query: QuerySchema<P> }

export function useList<
  P extends Parameters & { page: Parameter<number> },
  Q extends Question,
  F extends Question,
>(path: string, { page, facets }: { page: ListQuestion<Q, P>; facets: ListQuestion<F, P> }) {
  const view = useListView(path, page.query)
  const answer = useQuery(pageOptions<Q, P>(page, view.query))
  const counts = useQuery(countsOptions<F, P>(facets, view.query))
  return { view, answer, counts }
}
