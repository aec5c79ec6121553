import type { RatingAnswer } from '#lib/contract/answers/rating-detail.ts'
import { AppError } from '#lib/contract/faults.ts'
import { asofQuery } from '#lib/contract/other-queries.ts'
import { parseRatingId } from '#lib/contract/rating-id.ts'
import { readParameters, toBadRequest } from '../read-parameters.ts'
import { toMeta } from '../respond.ts'
import type { Route } from '../route.ts'

export const ratingRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/ratings/{id}',
  handle: async ({ deps, params, path }): Promise<RatingAnswer> => {
    const id = parseRatingId(path.id ?? '')
    if (id === null) throw toBadRequest([{ parameter: 'id', message: 'is not a whole number' }])
    const { asof } = readParameters(asofQuery, params)
    const at = deps.now()
    const found = await deps.archive.selectRating(id, asof, { at })
    if (!found) {
      const message =
        asof === null ? 'No rating has this id.' : 'No rating of this id existed then.'
      throw new AppError('not_found', message)
    }
    const { rating: data, history } = found
    return { success: true, code: 200, data, history, meta: toMeta(deps, asof ?? at) }
  },
}
