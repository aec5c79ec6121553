import {
  type ListRows,
  noFacets,
  selectFacets,
  selectListPage,
} from '#lib/archive/lists/select-list.ts'
import { lookupRows } from '#lib/archive/lookups/select-lookups.ts'
import type { SignalOptions } from '#lib/archive/reader.ts'
import type { AnyList, AnyQuery } from '#lib/contract/lists/define-list.ts'
import { type LookupsQuery, lookupList } from '#lib/contract/lists/lookups.ts'
import type { lookupQuestions } from '#lib/contract/operations/ratings.ts'
import type { editionQuestions } from '#lib/contract/operations/state.ts'
import type { AnswersTo, ApiDeps } from './endpoint.ts'
import { toAnswer, toMeta, toPageInfo, toPast } from './respond.ts'

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

export const editionAnswers: AnswersTo<typeof editionQuestions> = {
  dumps: async ({ editions, lookups }) =>
    toAnswer({
      posts: editions.card('posts'),
      lookups: { ...editions.card('lookups'), imported: lookups.report() },
    }),

  editions: async ({ editions }) =>
    toAnswer({ posts: editions.list('posts'), lookups: editions.list('lookups') }),
}

export const lookupAnswers: AnswersTo<typeof lookupQuestions> = {
  lookups: async (deps, { query, signal }) => {
    const rows = lookupRows(deps.archive.reader, query)
    const meta = { ...toLookupsMeta(deps, query), all: deps.archive.lookups.state().lookups }
    return await answerPage(deps, rows, { query, meta, signal })
  },

  lookupFacets: async (deps, { query, signal }) => {
    const rows = lookupRows(deps.archive.reader, query)
    return await answerFacets(deps, lookupList, rows, { meta: toLookupsMeta(deps, query), signal })
  },
}

function toLookupsMeta(
  deps: Pick<ApiDeps, 'archive' | 'now'>,
  { asof }: Pick<LookupsQuery, 'asof'>,
) {
  const at = toPast(asof, deps.now())
  const { knownTo, edition } = deps.archive.lookups.state()
  const known_to = knownTo === null ? null : Math.min(knownTo, at)
  return { ...toMeta(deps, at), known_to, edition }
}
