import type {
  AttentionAnswer,
  LookupFacetsAnswer,
  LookupsPage,
} from '#lib/contract/answers/lookups.ts'
import { seriesQuery } from '#lib/contract/api-queries.ts'
import { type LookupsQuery, lookupsQuery } from '#lib/contract/lookups-query.ts'
import { type ApiDeps, kept } from './endpoint.ts'
import { readParameters, toMeta, toPageInfo, toPast } from './respond.ts'
import { selectSymbol } from './symbols.ts'

/** A page of look-ups, and how many there are. */
export const answerLookups = kept(
  'lookups',
  async (deps, { params, signal }): Promise<LookupsPage> => {
    const query = readParameters(lookupsQuery, params)
    const { rows, total } = await deps.archive.lookups.select(query, { signal })
    const meta = { ...toLookupsMeta(deps, query), all: deps.archive.lookups.state().lookups }
    return { success: true, code: 200, data: rows, page: toPageInfo(query, total), meta }
  },
)

/** The counts beside the filters of look-ups. */
export const answerLookupFacets = kept(
  'lookupFacets',
  async (deps, { params, signal }): Promise<LookupFacetsAnswer> => {
    const query = readParameters(lookupsQuery, params)
    const data = await deps.archive.lookups.selectFacets(query, { signal })
    return { success: true, code: 200, data, meta: toLookupsMeta(deps, query) }
  },
)

/** Look-ups of a symbol over time. A symbol that nobody asked for has none in any bucket. */
export const answerAttention = kept(
  'attention',
  async (deps, { params, parts, signal }): Promise<AttentionAnswer> => {
    const symbol = selectSymbol(parts)
    const query = readParameters(seriesQuery, params)
    const at = toPast(query.asof, deps.now())
    const data = await deps.archive.lookups.selectAttention(symbol, query, { at, signal })
    return { success: true, code: 200, data, meta: toLookupsMeta(deps, query) }
  },
)

/** What an answer about look-ups was made from, and up to when it can know of any. */
function toLookupsMeta(
  deps: Pick<ApiDeps, 'archive' | 'now'>,
  { asof }: Pick<LookupsQuery, 'asof'>,
) {
  const at = toPast(asof, deps.now())
  const { knownTo, edition } = deps.archive.lookups.state()
  const known_to = knownTo === null ? null : Math.min(knownTo, at)
  return { ...toMeta(deps, at), known_to, edition }
}
