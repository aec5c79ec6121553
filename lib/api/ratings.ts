import type { FacetsAnswer, RatingAnswer, RatingsPage } from '#lib/contract/answers/ratings.ts'
import { asofQuery } from '#lib/contract/api-queries.ts'
import { AppError } from '#lib/contract/faults.ts'
import { parseRatingId } from '#lib/contract/rating-fields.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
import { readParameters, toBadRequest, toMeta, toPageInfo } from './respond.ts'
import type { Route } from './route.ts'

export const ratingsRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/ratings',
  handle: async ({ deps, params }): Promise<RatingsPage> => {
    const query = readParameters(ratingsQuery, params)
    const at = deps.now()
    const { rows, total } = await deps.archive.selectRatings(query, { at })
    return {
      success: true,
      code: 200,
      data: rows,
      page: toPageInfo(query, total),
      meta: { ...toMeta(deps, query.asof ?? at), all: deps.archive.state().ratings },
    }
  },
}

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

export const facetsRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/facets',
  handle: async ({ deps, params }): Promise<FacetsAnswer> => {
    const query = readParameters(ratingsQuery, params)
    const at = deps.now()
    return {
      success: true,
      code: 200,
      data: await deps.archive.selectFacets(query, { at }),
      meta: toMeta(deps, query.asof ?? at),
    }
  },
}
