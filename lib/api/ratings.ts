import { selectFacets } from '#lib/archive/ratings/facets.ts'
import { selectRating, selectRatings } from '#lib/archive/ratings/ratings.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { ratingQuestions } from '#lib/contract/operations/ratings.ts'
import type { AnswersTo } from './endpoint.ts'
import { toAnswer, toMeta, toPageInfo } from './respond.ts'

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
}
