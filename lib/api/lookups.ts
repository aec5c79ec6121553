import { selectLookupFacets, selectLookups } from '#lib/archive/lookups/select-lookups.ts'
import type { LookupsQuery } from '#lib/contract/lists/lookups.ts'
import type { lookupQuestions } from '#lib/contract/operations/lookups.ts'
import type { AnswersTo, ApiDeps } from './endpoint.ts'
import { toAnswer, toMeta, toPageInfo, toPast } from './respond.ts'

export const lookupAnswers: AnswersTo<typeof lookupQuestions> = {
  lookups: async (deps, { query, signal }) => {
    const { rows, total } = await selectLookups(deps.archive.reader, query, { signal })
    const meta = { ...toLookupsMeta(deps, query), all: deps.archive.lookups.state().lookups }
    return toAnswer(rows, { page: toPageInfo(query, total), meta })
  },

  lookupFacets: async (deps, { query, signal }) => {
    const data = await selectLookupFacets(deps.archive.reader, query, { signal })
    return toAnswer(data, { meta: toLookupsMeta(deps, query) })
  },
}

/** The meta of an answer about look-ups: also the edition, and until when (seconds) it can know of any. */
export function toLookupsMeta(
  deps: Pick<ApiDeps, 'archive' | 'now'>,
  { asof }: Pick<LookupsQuery, 'asof'>,
) {
  const at = toPast(asof, deps.now())
  const { knownTo, edition } = deps.archive.lookups.state()
  const known_to = knownTo === null ? null : Math.min(knownTo, at)
  return { ...toMeta(deps, at), known_to, edition }
}
