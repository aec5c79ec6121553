import { selectFacets } from '#lib/archive/ratings/facets.ts'
import { selectRating, selectRatings } from '#lib/archive/ratings/ratings.ts'
import type { FacetsAnswer, RatingAnswer, RatingsPage } from '#lib/contract/answers/ratings.ts'
import { asofQuery } from '#lib/contract/api-queries.ts'
import { AppError } from '#lib/contract/faults.ts'
import { parseRatingId } from '#lib/contract/rating-fields.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
import { kept } from './endpoint.ts'
import { readParameters, toBadRequest, toMeta, toPageInfo } from './respond.ts'

/** One page of the ratings of a query. */
export const answerRatings = kept(
  'ratings',
  async (deps, { params, signal }): Promise<RatingsPage> => {
    const query = readParameters(ratingsQuery, params)
    const at = deps.now()
    const { rows, total } = await selectRatings(deps.archive.reader, query, { at, signal })
    return {
      success: true,
      code: 200,
      data: rows,
      page: toPageInfo(query, total),
      meta: { ...toMeta(deps, query.asof ?? at), all: deps.archive.state().ratings },
    }
  },
)

/** One rating, with the user's ratings on the symbol. */
export const answerRating = kept(
  'rating',
  async (deps, { params, parts, signal }): Promise<RatingAnswer> => {
    const id = parseRatingId(parts.id ?? '')
    if (id === null) throw toBadRequest([{ parameter: 'id', message: 'is not a whole number' }])
    const { asof } = readParameters(asofQuery, params)
    const at = deps.now()
    const found = await selectRating(deps.archive.reader, { id, asof }, { at, signal })
    if (!found) {
      const message =
        asof === null ? 'No rating has this id.' : 'No rating of this id existed then.'
      throw new AppError('not_found', message)
    }
    const { rating: data, history } = found
    return { success: true, code: 200, data, history, meta: toMeta(deps, asof ?? at) }
  },
)

/** What is counted of the ratings of a query. */
export const answerFacets = kept(
  'facets',
  async (deps, { params, signal }): Promise<FacetsAnswer> => {
    const query = readParameters(ratingsQuery, params)
    const at = deps.now()
    return {
      success: true,
      code: 200,
      data: await selectFacets(deps.archive.reader, query, { at, signal }),
      meta: toMeta(deps, query.asof ?? at),
    }
  },
)
