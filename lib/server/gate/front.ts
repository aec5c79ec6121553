import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BASE_PATH, createBasePath } from '#lib/contract/base-path.ts'
import type { Caller } from '#lib/contract/caller.ts'
import { AppError } from '#lib/contract/faults.ts'
import { selectAddress } from '#lib/contract/operations/operations.ts'
import { type AccessGate, DEVELOPMENT } from './access-gate.ts'
import { type IsProxy, toClient } from './client-address.ts'
import { normalizeAddress } from './plain-address.ts'
import { isDataAddress, sendRefusal } from './refusal.ts'
import { type RequestContext, runInContext } from './request-context.ts'
import { selectRefusal } from './request-limits.ts'
import { isForwardedHttps, toPublicOrigin, toStrictTransport } from './request-policy.ts'
import type { WaitForGeneration } from './seen-generation.ts'
import { assignRequestId, requirePace, type Traffic } from './traffic.ts'

/** The request handler of the framework. */
export type Next = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

/** Every request of the server. `next` is reached by admitted ones only. */
export type Front = (
  request: IncomingMessage,
  response: ServerResponse,
  next: Next,
) => Promise<void>

/** Answers an admitted request, from the page cache or by `next`. */
export type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  rest: { context: RequestContext; next: Next },
) => Promise<void> | void

type FrontOptions = {
  basePath?: string
  publicUrl: URL | null
  allowedHosts: readonly string[] | null
  hstsSeconds: number
  traffic: Traffic
  isProxy: IsProxy
  gate: AccessGate
  /** Null on a single node. */
  waitForGeneration: WaitForGeneration | null
  answer: Answer
  isDev: boolean
  onError: (error: unknown, path: string) => void
}

/** Request id → limits → base path → access → page cache → framework. */
export function createFront(options: FrontOptions): Front {
  const { basePath = BASE_PATH, publicUrl, traffic, isProxy, gate, isDev } = options
  const { withBase, withoutBase } = createBasePath(basePath)

  const handle: Front = async (request, response, next) => {
    const id = assignRequestId(request, response)
    const client = toClient(request, isProxy)
    const isHttps = isForwardedHttps(request.headers)
    const strictTransport = toStrictTransport(options, isHttps)
    if (strictTransport) response.setHeader('strict-transport-security', strictTransport)

    const address = normalizeAddress(request.url ?? '/')
    const inside = withoutBase(address)
    request.url = inside ?? address
    traffic.begin(request, response, { id, client })
    requirePace(request, response)

    const refusal = selectRefusal(request, options.allowedHosts)
    if (refusal) return sendRefusal(refusal, request, response, { connection: 'close' })
    if (inside === null) return sendOutside(basePath, request, response)

    const admission = await gate(request, response, client)
    if (!admission) return
    if (!isAcceptedMethod(request, isDev)) return refuseMethod(request, response)
    await options.waitForGeneration?.(request, response)
    if (response.destroyed) return

    const { url } = request
    const { host = '' } = request.headers
    const { caller, link, onHandled } = admission
    const facts = { id, client, caller, link, url, host, isHttps, publicUrl, response }
    const context = new AdmittedRequest(facts)
    if (expectsContinue(request)) response.writeContinue()
    const nextInContext: Next = (admitted, answering) => {
      admitted.url = withBase(admitted.url ?? '/')
      return runInContext(context, () => next(admitted, answering))
    }
    try {
      await options.answer(request, response, { context, next: nextInContext })
    } finally {
      onHandled?.()
    }
  }
  return async (request, response, next) => {
    try {
      await handle(request, response, next)
    } catch (error) {
      if (response.destroyed) return
      options.onError(error, request.url?.split('?')[0] ?? '')
      if (response.headersSent) response.destroy()
      else sendRefusal(FAILURE, request, response)
    }
  }
}

type Facts = Omit<RequestContext, 'origin' | 'signal' | 'isComplete'> & {
  publicUrl: URL | null
  response: ServerResponse
}

/** Computes on demand what would cost as much as sending a cached page. */
class AdmittedRequest implements RequestContext {
  readonly id: string
  readonly client: string
  readonly caller: Caller
  readonly link: string | null
  readonly url: string
  readonly host: string
  readonly isHttps: boolean
  isComplete = true
  readonly #publicUrl: URL | null
  readonly #response: ServerResponse
  #signal: AbortSignal | null = null

  constructor({ id, client, caller, link, url, host, isHttps, publicUrl, response }: Facts) {
    this.id = id
    this.client = client
    this.caller = caller
    this.link = link
    this.url = url
    this.host = host
    this.isHttps = isHttps
    this.#publicUrl = publicUrl
    this.#response = response
  }

  get origin(): URL {
    return toPublicOrigin(this.#publicUrl, this)
  }

  get signal(): AbortSignal {
    this.#signal ??= createSignal(this.#response)
    return this.#signal
  }
}

/** Aborts when the connection closes early. */
function createSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  if (response.destroyed) gone.abort()
  else response.once('close', () => response.writableFinished || gone.abort())
  return gone.signal
}

const FAILURE = new AppError('internal', 'Something went wrong on our side. Try again.')

const expectsContinue = ({ headers: { expect = '' }, httpVersion }: IncomingMessage) =>
  httpVersion === '1.1' && expect.toLowerCase() === '100-continue'

/** The framework would treat others as server actions. */
const PAGE_METHODS = ['GET', 'HEAD']
/** The framework fails on others. */
const METHODS = [...PAGE_METHODS, 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

function isAcceptedMethod({ method = '', url = '/' }: IncomingMessage, isDev: boolean): boolean {
  const isPage = !isDataAddress(url) && !(isDev && DEVELOPMENT.test(url))
  return (isPage ? PAGE_METHODS : METHODS).includes(method)
}

function refuseMethod(request: IncomingMessage, response: ServerResponse): void {
  const operations = selectAddress(request.url?.split('?')[0] ?? '')?.operations
  const methods = operations?.map(({ method }) => method) ?? ['GET']
  const allowed = methods.flatMap((method) => (method === 'GET' ? PAGE_METHODS : [method]))
  const message = `This address allows only ${allowed.join(' and ')}.`
  const error = new AppError('method_not_allowed', message)
  sendRefusal(error, request, response, { allow: allowed.join(', ') })
}

function sendOutside(basePath: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/' && PAGE_METHODS.includes(request.method ?? '')) {
    const headers = { location: basePath, 'cache-control': 'no-store', 'content-length': 0 }
    response.writeHead(307, headers).end()
    return
  }
  const message = `This dashboard is served under ${basePath}.`
  sendRefusal(new AppError('not_found', message), request, response)
}
