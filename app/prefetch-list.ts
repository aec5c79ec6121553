import type { QueryClient } from '@tanstack/react-query'
import { countsOptions, pageOptions } from '#lib/client/list-options.ts'
import type { Question } from '#lib/contract/operations/operation.ts'
import { type Parameters, type QuerySchema, readLeniently } from '#lib/contract/query-schema.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'

type ListQuestion<P extends Parameters> = Question & { query: QuerySchema<P> }

export async function prefetchList<P extends Parameters>(
  client: QueryClient,
  { page, facets }: { page: ListQuestion<P>; facets: ListQuestion<P> },
  params: URLSearchParams,
): Promise<void> {
  const { query } = readLeniently(page.query, params)
  await Promise.all([
    client.prefetchQuery(pageOptions(page, query, fetchInProcess)),
    client.prefetchQuery(countsOptions(facets, query, fetchInProcess)),
  ])
}
