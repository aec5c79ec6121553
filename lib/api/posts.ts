import { LRUCache } from 'lru-cache'
import { toAppError } from '#lib/contract/faults.ts'
import type { ApiDeps, LoadPage } from './endpoint.ts'
import { type Prepared, prepare } from './respond.ts'

const PAGE_SECONDS = 30
const FAILURE_SECONDS = 5
const PAGES_KEPT = 50

type CachedPage = { page: Promise<Prepared>; until: number }

/**
 * At most one upstream request per page in 30 seconds. Failures are cached for 5 seconds, or for as
 * long as the service requests.
 */
export function createPageLoader({ upstream, now }: Pick<ApiDeps, 'upstream' | 'now'>): LoadPage {
  const kept = new LRUCache<number, CachedPage>({ max: PAGES_KEPT })

  const fetchPage = async (page: number): Promise<Prepared> => {
    const { data } = await upstream.fetchPage(page, { purpose: 'people' })
    return prepare({ success: true, code: 200, data })
  }
  return (page) => {
    const known = kept.get(page)
    if (known && now() < known.until) return known.page
    const entry: CachedPage = { page: fetchPage(page), until: Number.POSITIVE_INFINITY }
    kept.set(page, entry)
    entry.page.then(
      () => {
        entry.until = now() + PAGE_SECONDS
      },
      (error) => {
        entry.until = now() + (toAppError(error).retryAfterSeconds ?? FAILURE_SECONDS)
      },
    )
    return entry.page
  }
}
