import { loadSymbolPreview, loadUserPreview } from '#components/preview/preview.tsx'
import type { Api } from '#lib/api/create-api.ts'
import type { RawEndpoint } from '#lib/api/endpoint.ts'
import {
  streamCalls,
  streamDifferences,
  streamLookups,
  streamRatings,
  streamSymbols,
  streamUsers,
} from '#lib/api/exports.ts'
import { listApiRoutes } from '#lib/api/list-routes.mjs'
import { streamEvents, streamQuarantine } from '#lib/api/status.ts'
import { EXPORT_FORMATS, LEAGUE_FORMATS } from '#lib/contract/export-choice.ts'
import { mount } from '#lib/server/mount.ts'
import { createPreviews, rasterise, respondPreview } from '#lib/server/previews.ts'

type Handler = (request: Request) => Promise<Response>
type RouteFile = Readonly<Record<string, unknown>>

const previews = createPreviews({ rasterise, now: () => 0 })

/** What the Pages API has a socket for: here it is asked for the response itself. */
const STREAMS: Readonly<Record<string, RawEndpoint>> = {
  '/api/ratings.csv': streamRatings('csv'),
  '/api/ratings.json': streamRatings('json'),
  '/api/ratings.ndjson': streamRatings('ndjson'),
  '/api/ratings.parquet': streamRatings('parquet'),
  '/api/calls.parquet': streamCalls('parquet'),
  '/api/lookups.parquet': streamLookups('parquet'),
  ...Object.fromEntries(
    LEAGUE_FORMATS.flatMap((format) => [
      [`/api/symbols.${format}`, streamSymbols(format)],
      [`/api/users.${format}`, streamUsers(format)],
      [`/api/calls.${format}`, streamCalls(format)],
      [`/api/lookups.${format}`, streamLookups(format)],
    ]),
  ),
  ...Object.fromEntries(
    EXPORT_FORMATS.map((format) => [
      `/api/editions/differences.${format}`,
      streamDifferences(format),
    ]),
  ),
  '/api/quarantine.ndjson': streamQuarantine,
  '/api/events': streamEvents,
  '/api/previews/symbols/{file}': respondPreview(previews, {
    kind: 'symbol',
    load: loadSymbolPreview,
  }),
  '/api/previews/users/{file}': respondPreview(previews, { kind: 'user', load: loadUserPreview }),
}

const ROOT = new URL('../..', import.meta.url).pathname
const ADDRESSES = listApiRoutes(ROOT).map((address) => ({
  address,
  pattern: new RegExp(`^${address.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Makes an API the one that the route files of this process answer from. */
export function placeApi(api: Api): void {
  const current = async () => ({ api, env: { allowedHosts: null } })
  Object.assign(globalThis, { [Symbol.for('bellwether.runtime')]: { current } })
}

/** Asks the file that answers an address, as the framework finds it. */
export async function askRoute(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const address = ADDRESSES.find(({ pattern }) => pattern.test(pathname))?.address
  const stream = address === undefined ? undefined : STREAMS[address]
  if (stream) return await mount(stream)(request)
  const folder = (address ?? '/api/[[...path]]').replace(/\{(\w+)\}/g, '[$1]')
  const file: RouteFile = await import(`${ROOT}app${folder}/route.ts`)
  return await toHandler(file[request.method])(request)
}

function toHandler(exported: unknown): Handler {
  if (typeof exported !== 'function') throw new Error('The file has no such method.')
  return async (request) => {
    const response: unknown = await exported(request)
    if (response instanceof Response) return response
    throw new Error('The file gave no response.')
  }
}
