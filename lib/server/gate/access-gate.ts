import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Access, toClosedProblem } from '#lib/access/access.ts'
import type { AuditEntry } from '#lib/access/audit.ts'
import { isPlainName, parseGroups } from '#lib/access/names.ts'
import type { PresentedCredentials } from '#lib/access/recogniser.ts'
import { selectRoute } from '#lib/access/route-permissions.ts'
import { withBase } from '#lib/contract/base-path.ts'
import {
  anonymousCaller,
  type Caller,
  permits,
  type RequiredPermission,
  signedOutCaller,
  toForbidden,
} from '#lib/contract/caller.ts'
import { AppError } from '#lib/contract/faults.ts'
import { type Operation, readParts } from '#lib/contract/operations/operation.ts'
import { withNext } from '#lib/contract/path-part.ts'
import { LINK_PARAMETER } from '#lib/contract/ratings-query.ts'
import { readBearer } from '#lib/http/bearer.ts'
import { isDataAddress, sendRefusal } from './refusal.ts'
import { isForwardedHttps, toClearing } from './request-policy.ts'
import { isSessionRepeated, readSessionCookie } from './session-cookie.ts'

export type Admission = {
  caller: Caller
  /** Token in the address of a feed. */
  link: string | null
  /** Called when the request has been handled. */
  onHandled?: (() => void) | undefined
}

/** Resolves with null after it has refused the request. */
export type AccessGate = (
  request: IncomingMessage,
  response: ServerResponse,
  client: string,
) => Promise<Admission | null>

/** Of the framework: it would answer them with pages of its own. */
const INTERNAL = /^\/_(?!next\/static\/)/

/** Admits everybody. */
export const createOpenGate =
  ({ isDev }: { isDev: boolean }): AccessGate =>
  async (request) => {
    if (!isDev && INTERNAL.test(toPath(request))) request.url = NOWHERE
    return { caller: anonymousCaller, link: null }
  }

type AccessGateOptions = {
  access: () => Access | null
  /** Why there is no access. */
  problem?: () => unknown
  /** Names of the headers that a trusted proxy sets. */
  proxy: { name: string; groups: string } | null
  isFromProxy: (request: IncomingMessage) => boolean
  /** Rereads accounts and sessions of other nodes. Never rejects. Null on a single node. */
  refreshAccess?: (() => Promise<void>) | null
  every: (seconds: number, run: () => void) => () => void
  isDev: boolean
}

const REVALIDATE_SECONDS = 10

/** Identifies the caller and refuses what the caller may not do. */
export function createAccessGate(options: AccessGateOptions): AccessGate {
  const { access: selectAccess, refreshAccess, isDev } = options
  const open = new Map<ServerResponse, Caller>()
  options.every(REVALIDATE_SECONDS, () => {
    if (open.size === 0) return
    const revalidate = selectAccess()?.createRevalidator()
    for (const [response, caller] of open) if (!revalidate?.(caller)) abort(response)
  })
  return async (request, response, client) => {
    const path = toPath(request)
    const { permission: required, operation } =
      isDev && DEVELOPMENT.test(path) ? OPEN_ROUTE : selectRoute(path, request.method)
    const link = takeLink(request, path, required)
    const credentials = { ...readCredentials(request, options), ...(link && { token: link }) }
    const identify = () => selectAccess()?.identify(credentials) ?? null
    let caller = identify()
    if (!caller && refreshAccess && selectAccess() && mayBeNew(credentials, required, request)) {
      await refreshAccess()
      if (response.destroyed) return null
      caller = identify()
    }
    const access = selectAccess()
    const toAdmission = (admitted: Admission): Admission => ({
      ...admitted,
      onHandled: access
        ? createAuditing(access, { request, response, operation, path, client, ...admitted })
        : undefined,
    })
    if (!caller && path === SIGN_IN) clearData(request, response)
    if (required === 'public') return toAdmission({ caller: caller ?? signedOutCaller, link: null })
    if (!access) return refuse(toClosedProblem(options.problem?.()), request, response)
    if (!caller) return sendToSignIn(access, request, response)
    if (required === null || !permits(caller.permissions, required)) {
      if (required !== null) {
        const entry = { who: caller.name, from: client, what: `asked for ${path}` }
        access.audit.note({ ...entry, kind: 'refused', outcome: 'refused' })
      }
      if (isDataAddress(request.url ?? '/')) {
        return refuse(required === null ? noAddress() : toForbidden(required), request, response)
      }
      // Indistinguishable from an unknown address.
      request.url = NOWHERE
    }
    open.set(response, caller)
    response.once('close', () => open.delete(response))
    const isFeed = required === 'feed' && link && PRINTABLE.test(link)
    return toAdmission({ caller, link: isFeed ? link : null })
  }
}

/** Of the framework while it develops. */
export const DEVELOPMENT = /^\/(?:_next|__nextjs)/
const OPEN_ROUTE = { permission: 'public', operation: null } as const
const NOWHERE = '/not/found'
const SIGN_IN = '/sign-in'
const PRINTABLE = /^[\x21-\x7e]{1,512}$/

/** Aborts all but events: a partial response must not look complete. */
function abort(response: ServerResponse): void {
  const type = String(response.getHeader('content-type') ?? '')
  const isEvents = response.headersSent && type.startsWith('text/event-stream')
  if (isEvents && !response.writableEnded) response.end()
  else response.destroy()
}

/** Without a session, pages that the browser has cached must not be shown any more. */
function clearData({ headers }: IncomingMessage, response: ServerResponse): void {
  const clearing = toClearing(headers.host ?? '', isForwardedHttps(headers))
  for (const [name, value] of Object.entries(clearing)) response.setHeader(name, value)
}

/** Includes POST to public addresses: sign-out must end a session of another node. */
const mayBeNew = (
  { session, token }: PresentedCredentials,
  required: RequiredPermission | null,
  { method }: IncomingMessage,
): boolean =>
  (session !== undefined || token !== undefined) && (required !== 'public' || method === 'POST')

/** Frames on other sites and feed readers get no cookies: embeds and feeds carry a token. */
const EMBED = /^\/embed\//

/** Removes the token from the address, which keeps it out of logs and pages. */
function takeLink(
  request: IncomingMessage,
  path: string,
  required: RequiredPermission | null,
): string | null {
  if (!EMBED.test(path) && required !== 'feed') return null
  const { searchParams } = new URL(`http://gate${request.url}`)
  const token = searchParams.get(LINK_PARAMETER)
  if (token === null) return null
  searchParams.delete(LINK_PARAMETER)
  const query = searchParams.toString()
  // The framework would redirect a trailing slash and lose the token.
  request.url = query === '' ? path : `${path}?${query}`
  return token
}

function readCredentials(
  request: IncomingMessage,
  { proxy, isFromProxy }: AccessGateOptions,
): PresentedCredentials {
  const { headers } = request
  return {
    token: readBearer(headers.authorization),
    session: readSessionCookie(headers.cookie, isForwardedHttps(headers)),
    named: proxy && isFromProxy(request) ? readNamed(request, proxy) : undefined,
  }
}

/** Undefined for a repeated header, since one may be the client's. */
function readNamed(
  { headersDistinct }: IncomingMessage,
  { name: nameHeader, groups: groupsHeader }: { name: string; groups: string },
) {
  const [name = '', secondName] = headersDistinct[nameHeader] ?? []
  const [groups = '', secondGroups] = headersDistinct[groupsHeader] ?? []
  if (secondName !== undefined || secondGroups !== undefined) return undefined
  const plain = toText(name)
  return isPlainName(plain) ? { name: plain, groups: parseGroups(toText(groups)) } : undefined
}

/** Node decodes headers as Latin-1. */
const toText = (value: string) => Buffer.from(value, 'latin1').toString('utf8')

const noAddress = () => new AppError('not_found', 'No such address.')

function refuse(...refusal: Parameters<typeof sendRefusal>): null {
  sendRefusal(...refusal)
  return null
}

/** Assistants look here for a way to sign in: a page would confuse them. */
const WELL_KNOWN = /^\/\.well-known\//
const CHALLENGE = { 'www-authenticate': 'Bearer realm="Bellwether"' }

function sendToSignIn(access: Access, request: IncomingMessage, response: ServerResponse): null {
  const { method, url = '/', headers } = request
  const isPage = !isDataAddress(url) && (method === 'GET' || method === 'HEAD')
  if (EMBED.test(url)) {
    // The sign-in page must not be framed.
    const message =
      'This chart needs a valid embed token: the token is missing, expired or revoked.'
    const policy = "default-src 'none'; frame-ancestors *"
    return refuse(new AppError('unauthorized', message), request, response, {
      'content-security-policy': policy,
    })
  }
  if (WELL_KNOWN.test(url)) return refuse(noAddress(), request, response)
  if (isPage && access.mode !== 'proxy' && headers.rsc === undefined) {
    const isRepeated = isSessionRepeated(headers.cookie, isForwardedHttps(headers))
    const location = withBase(withNext(SIGN_IN, url, isRepeated ? { why: 'cookies' } : {}))
    response.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': 0 }).end()
    return null
  }
  const message =
    access.mode === 'proxy'
      ? 'The proxy did not send a valid user name.'
      : 'Sign in first, or send a token.'
  return refuse(new AppError('unauthorized', message), request, response, CHALLENGE)
}

type Handled = Pick<Admission, 'caller'> & {
  request: IncomingMessage
  response: ServerResponse
  operation: Operation | null
  path: string
  client: string
}

/**
 * Writes the entry of an operation once its response has closed: its outcome is known then, also if
 * the client left early. Undefined for what is not logged.
 */
function createAuditing({ audit: log }: Access, handled: Handled): (() => void) | undefined {
  const { request, response, operation, path, client, caller } = handled
  if (!operation?.audit || request.method !== operation.method) return undefined
  const { kind, what, logsDone } = operation.audit
  const write = () => {
    const outcome = toOutcome(response, kind === 'export')
    if (outcome === null || (outcome === 'done' && logsDone)) return
    const entry = { who: caller.name, from: client, kind, outcome }
    log.note({ ...entry, what: fillParts(what, operation, path) })
  }
  return () => {
    if (response.closed) write()
    else response.once('close', write)
  }
}

function fillParts(text: string, { address }: Operation, path: string): string {
  try {
    const parts = readParts(address, path)
    return text.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '')
  } catch {
    // A malformed escape: the operation refuses it.
    return text
  }
}

/** Null if nothing was sent, because the client has the file. */
function toOutcome(
  { statusCode, writableFinished }: ServerResponse,
  isExport: boolean,
): AuditEntry['outcome'] | null {
  if (statusCode === 304) return null
  if (statusCode >= 500) return 'failed'
  if (statusCode >= 400) return 'refused'
  return isExport && !writableFinished ? 'failed' : 'done'
}

/** Without the query, which may be private. */
const toPath = ({ url = '/' }: IncomingMessage) =>
  url.split('?')[0]?.replace(/(?<=.)\/$/, '') ?? '/'
