import { selectDifferenceFacets, selectDifferences } from '#lib/archive/editions/differences.ts'
import type {
  DifferenceFacetsAnswer,
  DifferencesPage,
} from '#lib/contract/answers/edition-differences.ts'
import {
  type DifferencesQuery,
  differencesQuery,
  NO_DIFFERENCE,
} from '#lib/contract/edition-differences.ts'
import type { KeptDifference, KeptEdition } from '#lib/sync/sync.ts'
import { type ApiDeps, kept } from './endpoint.ts'
import { readParameters, toMeta, toPageInfo } from './respond.ts'

type Deps = Pick<ApiDeps, 'archive' | 'editions' | 'now'>

/** A page of what differs between two editions, and how much it is. */
export const answerDifferences = kept(
  'differences',
  async (deps, { params, signal }): Promise<DifferencesPage> => {
    const { query, difference } = await readAsked(deps, params, signal)
    const { rows, total, file } = difference
      ? await selectDifferences(deps.archive.reader, { path: difference.path, query }, { signal })
      : { rows: [], total: 0, file: { rows: 0, all: 0 } }
    const meta = { ...toDifferencesMeta(deps, difference), file }
    return { success: true, code: 200, data: rows, page: toPageInfo(query, total), meta }
  },
)

/** The counts beside the filters of a difference. */
export const answerDifferenceFacets = kept(
  'differenceFacets',
  async (deps, { params, signal }): Promise<DifferenceFacetsAnswer> => {
    const { query, difference } = await readAsked(deps, params, signal)
    const data = difference
      ? await selectDifferenceFacets(
          deps.archive.reader,
          { path: difference.path, query },
          { signal },
        )
      : NO_FACETS
    return { success: true, code: 200, data, meta: toDifferencesMeta(deps, difference) }
  },
)

async function readAsked(
  deps: Deps,
  params: URLSearchParams,
  signal: AbortSignal | undefined,
): Promise<{ query: DifferencesQuery; difference: KeptDifference | null }> {
  const query = readParameters(differencesQuery, params)
  return { query, difference: await deps.editions.difference(query, signal) }
}

const NO_FACETS: DifferenceFacetsAnswer['data'] = {
  ...{ kind: [], field: [], symbol: [], user: [] },
  distinct: { fields: 0, symbols: 0, users: 0 },
}

function toDifferencesMeta(
  deps: Deps,
  difference: KeptDifference | null,
): DifferenceFacetsAnswer['meta'] {
  const kinds = difference?.kinds ?? NO_DIFFERENCE
  const toSide = ({ edition, fetched_at, rows }: KeptEdition, only: readonly string[]) => ({
    ...{ edition, fetched_at, rows, only: [...only] },
  })
  return {
    ...toMeta(deps, deps.now()),
    between: difference && {
      from: toSide(difference.from, difference.onlyFrom),
      to: toSide(difference.to, difference.onlyTo),
    },
    kinds: { ...kinds },
    all: Object.values(kinds).reduce((sum, count) => sum + count, 0),
  }
}
