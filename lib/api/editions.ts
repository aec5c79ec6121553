import { selectDifferenceFacets, selectDifferences } from '#lib/archive/editions/differences.ts'
import type { DifferenceFacetsAnswer } from '#lib/contract/answers/edition-differences.ts'
import { NO_DIFFERENCE } from '#lib/contract/lists/edition-differences.ts'
import type { differenceQuestions } from '#lib/contract/operations/edition-differences.ts'
import type { editionQuestions } from '#lib/contract/operations/editions.ts'
import type { KeptDifference, KeptEdition } from '#lib/sync/sync.ts'
import type { AnswersTo, ApiDeps } from './endpoint.ts'
import { toAnswer, toMeta, toPageInfo } from './respond.ts'

export const differenceAnswers: AnswersTo<typeof differenceQuestions> = {
  differences: async (deps, { query, signal }) => {
    const difference = await deps.editions.difference(query, signal)
    const { rows, total, file } = difference
      ? await selectDifferences(deps.archive.reader, { path: difference.path, query }, { signal })
      : { rows: [], total: 0, file: { rows: 0, all: 0 } }
    const meta = { ...toDifferencesMeta(deps, difference), file }
    return toAnswer(rows, { page: toPageInfo(query, total), meta })
  },

  differenceFacets: async (deps, { query, signal }) => {
    const difference = await deps.editions.difference(query, signal)
    const data = difference
      ? await selectDifferenceFacets(
          deps.archive.reader,
          { path: difference.path, query },
          { signal },
        )
      : NO_FACETS
    return toAnswer(data, { meta: toDifferencesMeta(deps, difference) })
  },
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

const NO_FACETS: DifferenceFacetsAnswer['data'] = {
  kind: [],
  field: [],
  symbol: [],
  user: [],
  distinct: { fields: 0, symbols: 0, users: 0 },
}

function toDifferencesMeta(
  deps: Pick<ApiDeps, 'archive' | 'now'>,
  difference: KeptDifference | null,
): DifferenceFacetsAnswer['meta'] {
  const kinds = difference?.kinds ?? NO_DIFFERENCE
  const toSide = ({ edition, fetched_at, rows }: KeptEdition, only: readonly string[]) => ({
    edition,
    fetched_at,
    rows,
    only: [...only],
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
