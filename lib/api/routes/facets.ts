import type { FacetsAnswer } from '#lib/contract/answers/ratings.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
import { readParameters } from '../read-parameters.ts'
import { toMeta } from '../respond.ts'
import type { Route } from '../route.ts'

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
