import type { ApiDeps } from './deps.ts'

/** What a route is asked: the address taken apart, nothing parsed yet. */
export type RouteContext = {
  deps: ApiDeps
  request: Request
  params: URLSearchParams
  /** The decoded `{name}` parts of the path. */
  path: Readonly<Record<string, string>>
}

type RouteOf<K extends string, T> = {
  kind: K
  method: 'GET' | 'POST'
  /** As the documentation writes it: `/api/symbols/{symbol}`. */
  pattern: string
  handle: (context: RouteContext) => Promise<T>
}

/**
 * `kept`: the answer changes only with the archive and slowly with time, so it is kept. `now`: made for each request.
 * `raw`: the route writes the response itself.
 */
export type Route =
  | RouteOf<'kept', { code: number }>
  | RouteOf<'now', { code: number }>
  | RouteOf<'raw', Response>

type Match = { route: Route; path: Record<string, string> }

/** Finds the routes of a path, whatever their method. Throws URIError where a part is not decodable. */
export function matchRoutes(routes: readonly Route[], pathname: string): Match[] {
  const parts = pathname.split('/')
  return routes.flatMap((route) => {
    const path = matchParts(route.pattern.split('/'), parts)
    return path ? [{ route, path }] : []
  })
}

function matchParts(pattern: string[], parts: string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null
  const path: Record<string, string> = {}
  for (const [index, name] of pattern.entries()) {
    const part = parts[index] ?? ''
    if (name.startsWith('{') && part !== '') path[name.slice(1, -1)] = decodeURIComponent(part)
    else if (name !== part) return null
  }
  return path
}
