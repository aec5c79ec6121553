import type { RatingsPage } from '#lib/contract/answers/ratings.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
import { readParameters } from '../read-parameters.ts'
import { toMeta, toPageInfo } from '../respond.ts'
import type { Route } from '../route.ts'

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
