import {
  type Answers,
  type Asked,
  type Kind,
  readParts,
  toAddress,
} from '#lib/contract/answers/questions.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import { createAnswerCache } from './answer-cache.ts'
import type { ApiDeps, Endpoint, RawEndpoint, Shared } from './endpoint.ts'
import { createSlots } from './export-answer.ts'
import { createPageLoader } from './posts.ts'
import { sendError, sendFailure, sendNow, sendPrepared } from './respond.ts'

const CACHE_BYTES = 64 * 1024 * 1024
const CACHE_AGE_SECONDS = 60

/** Answers from the archive, never from the service, but for the proxy route of pages. */
export type Api = {
  /** What is asked, as a value that nobody may change. Throws AppError; what nobody foresaw is told to the log. */
  answer<K extends Kind>(endpoint: Endpoint<K>, asked: Asked): Promise<Answers[K]>
  /** The same for a request, as a response; whatever goes wrong has the one shape. */
  respond(endpoint: Endpoint | RawEndpoint, request: Request): Promise<Response>
}

/** The API of a process. It keeps what changes slowly, for pages and requests alike. */
export function createApi(given: ApiDeps): Api {
  const deps: ApiDeps & Shared = {
    ...given,
    takeExportSlot: createSlots(),
    takeQuarantineSlot: createSlots(),
    loadPage: createPageLoader(given),
  }
  const cache = createAnswerCache({
    now: deps.now,
    generation: () => deps.archive.state().generation,
    maxBytes: CACHE_BYTES,
    maxAgeSeconds: CACHE_AGE_SECONDS,
  })
  /** `read` gives what is asked; where the answer is kept it is not needed. */
  const load = <K extends Kind>(endpoint: Endpoint<K>, address: string, read: () => Asked) =>
    cache.answer({ kind: endpoint.kind, address }, async () => await endpoint.answer(deps, read()))

  const respondTo = async (endpoint: Endpoint, request: Request, url: URL) => {
    const read = () => ({ parts: decodeParts(endpoint.kind, url), params: url.searchParams })
    if (!endpoint.isKept) return sendNow(await endpoint.answer(deps, read()))
    const kept = await load(endpoint, url.pathname + url.search, read)
    return sendPrepared(request, kept.toPrepared())
  }
  return {
    async answer(endpoint, asked) {
      const address = toAddress({ kind: endpoint.kind, ...asked })
      try {
        if (!endpoint.isKept) return await endpoint.answer(deps, asked)
        return (await load(endpoint, address, () => asked)).value
      } catch (error) {
        const known = toAppError(error)
        const path = address.split('?')[0] ?? ''
        if (known.fault === 'internal') deps.onError(error, { path, requestId: null })
        throw known
      }
    },
    async respond(endpoint, request) {
      const url = new URL(request.url)
      try {
        const refusal = selectRefusal(endpoint, request.method)
        if (refusal) return withoutBody(request, refusal)
        const response =
          'kind' in endpoint
            ? await respondTo(endpoint, request, url)
            : await endpoint.respond(deps, { request, params: url.searchParams })
        return withoutBody(request, response)
      } catch (error) {
        const requestId = request.headers.get('x-request-id')
        const report = (unknown: unknown) =>
          deps.onError(unknown, { path: url.pathname, requestId })
        return withoutBody(request, sendError(error, report))
      }
    },
  }
}

/** HEAD is GET without the body, decided here once. */
function withoutBody(request: Request, response: Response): Response {
  if (request.method !== 'HEAD') return response
  void response.body?.cancel()
  return new Response(null, { status: response.status, headers: response.headers })
}

function selectRefusal(endpoint: Endpoint | RawEndpoint, asked: string): Response | null {
  const method = 'kind' in endpoint ? 'GET' : endpoint.method
  if (method === null || method === (asked === 'HEAD' ? 'GET' : asked)) return null
  const allow = method === 'GET' ? ['GET', 'HEAD'] : [method]
  return sendFailure(
    new AppError('method_not_allowed', `This address takes ${allow.join(' and ')} only.`),
    { allow: allow.join(', ') },
  )
}

function decodeParts(kind: Kind, { pathname }: URL): Asked['parts'] {
  try {
    return readParts(kind, pathname)
  } catch {
    throw new AppError('bad_request', 'The address holds a broken percent sign.', {
      issues: [{ parameter: 'path', message: 'is not decodable' }],
    })
  }
}
