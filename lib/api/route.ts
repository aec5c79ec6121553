import type { Archive } from '#lib/archive/archive.ts'
import type { Status } from '#lib/contract/answers/status.ts'
import type { Editions, Sync } from '#lib/sync/sync.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import type { SetTimer } from './byte-stream.ts'
import type { EventHub } from './event-hub.ts'

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

/** What is counted, as text. `streams` are the readers of `/api/events`. */
export type Metrics = {
  contentType: string
  render(status: Status, streams: number): Promise<string>
}

/** What the API answers from. `now` is in seconds since 1970. */
export type ApiDeps = {
  archive: Archive
  editions: Editions
  sync: Sync
  upstream: Upstream
  now: () => number
  setTimer: SetTimer
  /** Told of every error that leaves as a 500: the path without its query, and the name of the request. */
  onError: (error: unknown, asked: { path: string; requestId: string | null }) => void
  metrics: Metrics
  /** Who listens to `/api/events`. Whoever makes it closes it before the process ends. */
  events: EventHub
}
