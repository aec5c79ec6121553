import { AppError } from '#lib/contract/faults.ts'
import { type AnswerCache, createAnswerCache } from './answer-cache.ts'
import { createExportRoutes } from './exports.ts'
import { createPostsRoute } from './posts.ts'
import { createQuarantineRoutes } from './quarantine.ts'
import { facetsRoute, ratingRoute, ratingsRoute } from './ratings.ts'
import { prepare, sendError, sendFailure, sendNow, sendPrepared } from './respond.ts'
import { type ApiDeps, matchRoutes, type Route, type RouteContext } from './route.ts'
import {
  dumpsRoute,
  editionsRoute,
  eventsRoute,
  healthRoute,
  metricsRoute,
  statusRoute,
  syncRoute,
} from './status.ts'
import {
  compareRoute,
  overviewRoute,
  symbolOpinionRoute,
  symbolRoute,
  symbolSeriesRoute,
  symbolsRoute,
} from './symbols.ts'
import { userCallsRoute, userRecordRoute, userRoute, usersRoute } from './users.ts'

const CACHE_BYTES = 64 * 1024 * 1024
const CACHE_AGE_SECONDS = 60

export type Api = (request: Request) => Promise<Response>

/** The API as one function. It reads the archive, never the service, but for the proxy route of pages. */
export function createApi(deps: ApiDeps): Api {
  const routes = createRoutes()
  const cache = createAnswerCache({
    now: deps.now,
    generation: () => deps.archive.state().generation,
    maxBytes: CACHE_BYTES,
    maxAgeSeconds: CACHE_AGE_SECONDS,
  })

  return async (request) => {
    const url = new URL(request.url)
    try {
      const ready = isRead(request) && cache.peek(url.pathname + url.search)
      if (ready) return withoutBody(request, sendPrepared(request, await ready))
      return withoutBody(request, await answer({ deps, routes, cache, request, url }))
    } catch (error) {
      return withoutBody(
        request,
        sendError(error, (unknown) =>
          deps.onError(unknown, {
            path: url.pathname,
            requestId: request.headers.get('x-request-id'),
          }),
        ),
      )
    }
  }
}

const isRead = (request: Request) => request.method === 'GET' || request.method === 'HEAD'

/** HEAD is GET without the body, decided here once. */
function withoutBody(request: Request, response: Response): Response {
  if (request.method !== 'HEAD') return response
  void response.body?.cancel()
  return new Response(null, { status: response.status, headers: response.headers })
}

type Asked = {
  deps: ApiDeps
  routes: readonly Route[]
  cache: AnswerCache
  request: Request
  url: URL
}

async function answer({ deps, routes, cache, request, url }: Asked): Promise<Response> {
  const found = findRoute(routes, request, url.pathname)
  if (found instanceof Response) return found
  const { route, path } = found
  const context: RouteContext = { deps, request, path, params: url.searchParams }
  if (route.kind === 'raw') return await route.handle(context)
  if (route.kind === 'now') return sendNow(await route.handle(context))
  const make = async () => prepare(await route.handle(context))
  return sendPrepared(request, await cache.answer(url.pathname + url.search, make))
}

function findRoute(routes: readonly Route[], request: Request, pathname: string) {
  const matches = decodable(routes, pathname)
  if (matches.length === 0) {
    return sendFailure(new AppError('not_found', 'There is no such address in this API.'))
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const match = matches.find(({ route }) => route.method === method)
  if (match) return match
  const allow = matches.flatMap(({ route }) =>
    route.method === 'GET' ? ['GET', 'HEAD'] : ['POST'],
  )
  return sendFailure(
    new AppError('method_not_allowed', `This address takes ${allow.join(' and ')} only.`),
    { allow: allow.join(', ') },
  )
}

function decodable(routes: readonly Route[], pathname: string) {
  try {
    return matchRoutes(routes, pathname)
  } catch {
    throw new AppError('bad_request', 'The address holds a broken percent sign.', {
      issues: [{ parameter: 'path', message: 'is not decodable' }],
    })
  }
}

/** Every route of the API, in the order of the documentation. */
const createRoutes = (): readonly Route[] => [
  createPostsRoute(),
  ratingsRoute,
  ratingRoute,
  ...createExportRoutes(),
  facetsRoute,
  symbolsRoute,
  symbolRoute,
  symbolOpinionRoute,
  symbolSeriesRoute,
  compareRoute,
  overviewRoute,
  usersRoute,
  userRoute,
  userCallsRoute,
  userRecordRoute,
  dumpsRoute,
  editionsRoute,
  ...createQuarantineRoutes(),
  statusRoute,
  eventsRoute,
  syncRoute,
  healthRoute,
  metricsRoute,
]

/** The downloads, which the Pages API serves because they need Content-Length. */
export const DOWNLOAD_ROUTES = [
  '/api/v1/posts/dumps',
  '/api/v1/lookups/dumps',
  '/api/editions/{file}',
] as const

/** Every address of the API, for the test that holds the documentation against it. */
export const ROUTES: readonly string[] = [
  ...createRoutes().map((route) => route.pattern),
  ...DOWNLOAD_ROUTES,
]
