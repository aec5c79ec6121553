import { postsQuery } from '#lib/contract/api-queries.ts'
import { toAppError } from '#lib/contract/faults.ts'
import { type Prepared, prepare, readParameters, sendPrepared } from './respond.ts'
import type { ApiDeps, Route } from './route.ts'

const PAGE_SECONDS = 30
const FAILURE_SECONDS = 5
const PAGES_KEPT = 50

type Kept = { page: Promise<Prepared>; until: number }

/**
 * A page of the service, fetched with the key that the server holds. However many ask for a page, one request is spent
 * on it in 30 seconds; a failure is remembered for 5, or as long as the service asks to be left alone.
 */
export function createPostsRoute(): Route {
  const kept = new Map<number, Kept>()

  const load = (deps: ApiDeps, page: number): Promise<Prepared> => {
    const known = kept.get(page)
    if (known && deps.now() < known.until) return known.page
    const entry: Kept = { page: fetchPage(deps, page), until: Number.POSITIVE_INFINITY }
    kept.delete(page)
    kept.set(page, entry)
    entry.page.then(
      () => {
        entry.until = deps.now() + PAGE_SECONDS
      },
      (error) => {
        entry.until = deps.now() + (toAppError(error).retryAfterSeconds ?? FAILURE_SECONDS)
      },
    )
    for (const oldest of kept.keys()) {
      if (kept.size <= PAGES_KEPT) break
      kept.delete(oldest)
    }
    return entry.page
  }

  return {
    kind: 'raw',
    method: 'GET',
    pattern: '/api/v1/posts',
    handle: async ({ deps, params, request }) => {
      const others = new URLSearchParams(params)
      // A key that a browser sends is neither used nor passed on.
      others.delete('api_key')
      const { page } = readParameters(postsQuery, others)
      return sendPrepared(request, await load(deps, page))
    },
  }
}

async function fetchPage({ upstream }: ApiDeps, page: number): Promise<Prepared> {
  const { data } = await upstream.fetchPage(page, { purpose: 'people' })
  return prepare({ success: true, code: 200, data })
}
