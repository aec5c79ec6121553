import { lookupRows } from '#lib/archive/lookups/select-lookups.ts'
import { type LookupsQuery, lookupList } from '#lib/contract/lists/lookups.ts'
import type { lookupQuestions } from '#lib/contract/operations/lookups.ts'
import type { AnswersTo, ApiDeps } from './endpoint.ts'
import { answerFacets, answerPage } from './lists.ts'
import { toMeta, toPast } from './respond.ts'

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
