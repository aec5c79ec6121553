import {
  type ListRows,
  noFacets,
  selectFacets,
  selectListPage,
} from '#lib/archive/lists/select-list.ts'
import type { SignalOptions } from '#lib/archive/reader.ts'
import type { AnyList, AnyQuery } from '#lib/contract/lists/define-list.ts'
import type { ApiDeps } from './endpoint.ts'
import { toAnswer, toPageInfo } from './respond.ts'

type ListRequest<M> = SignalOptions & { query: AnyQuery; meta: M }

export async function answerPage<L extends AnyList, M>(
  { archive }: Pick<ApiDeps, 'archive'>,
  rows: ListRows<L> | null,
  { query, meta, signal }: ListRequest<M>,
) {
  const page = rows && (await selectListPage(archive.reader, rows, { signal }))
  return toAnswer(page?.rows ?? [], { page: toPageInfo(query, page?.total ?? 0), meta })
}

export async function answerFacets<L extends AnyList, M>(
  { archive }: Pick<ApiDeps, 'archive'>,
  list: L,
  rows: ListRows<L> | null,
  { meta, signal }: Omit<ListRequest<M>, 'query'>,
) {
  const facets = rows ? await selectFacets(archive.reader, rows, { signal }) : noFacets(list)
  return toAnswer(facets, { meta })
}
