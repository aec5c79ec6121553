import { selectChanges } from '#lib/archive/changes/changes.ts'
import { selectWatching } from '#lib/archive/overview/watching.ts'
import { selectFacets } from '#lib/archive/ratings/facets.ts'
import { selectRating, selectRatings } from '#lib/archive/ratings/ratings.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { ratingQuestions } from '#lib/contract/operations/ratings.ts'
import { toPeriod } from './changes.ts'
import type { AnswersTo } from './endpoint.ts'
import { toAnswer, toBadRequest, toMeta, toPageInfo, toPast } from './respond.ts'

export const ratingAnswers: AnswersTo<typeof ratingQuestions> = {
  ratings: async (deps, { query, signal }) => {
    const at = deps.now()
    const { rows, total } = await selectRatings(deps.archive.reader, query, { at, signal })
    const meta = { ...toMeta(deps, query.asof ?? at), all: deps.archive.state().ratings }
    return toAnswer(rows, { page: toPageInfo(query, total), meta })
  },

  rating: async (deps, { id, query: { asof }, signal }) => {
    const at = deps.now()
    const found = await selectRating(deps.archive.reader, { id, asof }, { at, signal })
    if (!found) {
      const message =
        asof === null ? 'No rating has this id.' : 'No rating with this id existed then.'
      throw new AppError('not_found', message)
    }
    const { rating, history } = found
    return toAnswer(rating, { history, meta: toMeta(deps, asof ?? at) })
  },

  facets: async (deps, { query, signal }) => {
    const at = deps.now()
    const data = await selectFacets(deps.archive.reader, query, { at, signal })
    return toAnswer(data, { meta: toMeta(deps, query.asof ?? at) })
  },

  changes: async (deps, { query, signal }) => {
    const at = toPast(query.asof, deps.now())
    const period = toPeriod(query, at)
    if (period.from >= period.to) {
      throw toBadRequest([{ parameter: 'from', message: 'is to come' }])
    }
    const data = await selectChanges(deps.archive.reader, period, { signal })
    return toAnswer(data, { meta: toMeta(deps, at) })
  },

  watching: async (deps, { query, signal }) => {
    const at = deps.now()
    const { symbols, ...held } = await selectWatching(deps.archive.reader, query, { at, signal })
    const named = symbols.map(({ symbol, ...row }) => ({
      symbol,
      name: deps.names.of(symbol),
      ...row,
    }))
    return toAnswer({ symbols: named, ...held }, { meta: toMeta(deps, at) })
  },
}
