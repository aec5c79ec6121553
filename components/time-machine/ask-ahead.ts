import type { Query, QueryClient } from '@tanstack/react-query'
import { isRewound, prefetchOptions } from '#lib/client/prefetch-options.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'

/** What the page in sight asks for that depends on the instant. */
export const SHOWN = {
  type: 'active',
  predicate: ({ queryKey: [kind] }: Query) => isRewound(kind),
} as const

/** Is an answer on its way that the page in sight waits for? */
export const isWaiting = (client: QueryClient): boolean => client.isFetching(SHOWN) > 0

/** Has one failed? */
export const hasFailed = (client: QueryClient): boolean =>
  client
    .getQueryCache()
    .findAll(SHOWN)
    .some(({ state }) => state.status === 'error')

/**
 * Asks for everything that the page in sight shows at one instant (seconds since 1970) at another one, before anybody
 * goes there.
 */
export function askAhead(client: QueryClient, from: number, to: number): void {
  for (const { queryKey } of client.getQueryCache().findAll(SHOWN)) {
    const [kind, path] = queryKey
    const next = typeof path === 'string' ? toPathAt(path, from, to) : null
    if (next !== null && isRewound(kind)) void client.prefetchQuery(prefetchOptions(kind, next))
  }
}

/** A path of the API with another `asof`; null where it has not the one that it is to be rid of. */
export function toPathAt(path: string, from: number, to: number): string | null {
  const [before, behind, ...rest] = `${path}&`.split(`asof=${toAsofParameter(from)}&`)
  if (before === undefined || behind === undefined || rest.length > 0) return null
  return `${before}asof=${toAsofParameter(to)}&${behind}`.slice(0, -1)
}
