import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Access } from '#lib/access/access.ts'
import { isPlainName, parseGroups } from '#lib/access/names.ts'
import { ANYBODY, type Caller, permits } from '#lib/access/permissions.ts'
import { selectNeed } from '#lib/access/rules.ts'
import { CLIENT } from '#lib/api/endpoint.ts'
import { FEED_LINK, LINK_PARAMETER } from '#lib/api/feed-address.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { AppError } from '#lib/contract/faults.ts'
import { withNext } from '#lib/contract/next-page.ts'
import type { Need } from '#lib/contract/operations/operation.ts'
import { readBearer } from '#lib/http/bearer.ts'
import { noteCaller } from './callers.ts'
import { type Answerer, isDataAddress, sendRefusal } from './refuse.ts'
import { isHttps, readForwardedProto } from './request-policy.ts'
import { readSessionCookie } from './session-cookie.ts'

type GateOptions = {
  access: () => Access | null
  proxy: { name: string; groups: string } | null
  /** Never rejects. Null on a single node. */
  lookAnew?: (() => Promise<void>) | null
  isFromProxy: (request: IncomingMessage) => boolean
  every: (seconds: number, run: () => void) => () => void
  isDev: boolean
}

export const letEverybodyIn =
  (answer: Answerer): Answerer =>
  (request, response) => {
    noteCaller(request.headers, ANYBODY)
    answer(request, response)
  }

const LOOK_SECONDS = 10

/** Identifies the caller once; handlers behind it trust the caller header. */
export function createGate(options: GateOptions): (answer: Answerer) => Answerer {
  const { access: selectAccess } = options
  const open = new Map<ServerResponse, Caller>()
  options.every(LOOK_SECONDS, () => {
    if (open.size === 0) return
    const isStill = selectAccess()?.whoIsStill()
    for (const [response, caller] of open) {
      if (!isStill?.(caller)) breakOff(response)
    }
  })
  return (answer) => (request, response) => {
    const path = toPath(request)
    noteCaller(request.headers, null)
    const need = selectNeedOf(path, options)
    const shown = { ...readShown(request, options), ...takeLink(request, path, need) }
    const asked = { need, shown }
    const decide = () => {
      const access = selectAccess()
      const caller = access?.identify(asked.shown) ?? null
      return { access, caller }
    }
    const admit = ({ access, caller }: ReturnType<typeof decide>) => {
      const admitted = letIn({ access, caller, need: asked.need }, request, response)
      if (!admitted) return
      if (asked.need !== 'nobody' && caller) {
        open.set(response, caller)
        response.once('close', () => open.delete(response))
      }
      answer(request, response)
    }
    const first = decide()
    if (!options.lookAnew || !isUnknown(first, asked, request)) return admit(first)
    void options.lookAnew().then(() => {
      if (!response.destroyed) admit(decide())
    })
  }
}

/** Aborts all but events: a partial response must not look complete. */
function breakOff(response: ServerResponse): void {
  const type = String(response.getHeader('content-type') ?? '')
  const isEvents = response.headersSent && type.startsWith('text/event-stream')
  if (isEvents && !response.writableEnded) response.end()
  else response.destroy()
}

type Decided = { access: Access | null; caller: Caller | null }

/** Includes POST: sign-out must end a session of another node. */
function isUnknown(
  { access, caller }: Decided,
  {
    need,
    shown,
  }: { need: Need | null; shown: { session?: string | undefined; token?: string | undefined } },
  { method }: IncomingMessage,
): boolean {
  if (access === null || caller !== null) return false
  if (shown.session === undefined && shown.token === undefined) return false
  return need !== 'nobody' || method === 'POST'
}

function letIn(
  { access, caller, need }: Decided & { need: Need | null },
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (need === 'nobody') {
    noteCaller(request.headers, caller)
    return true
  }
  if (access === null) {
    sendRefusal(notOpen(), request, response)
    return false
  }
  if (caller === null) {
    sendToSignIn(access, request, response)
    return false
  }
  if (need === null || !permits(caller.permissions, need)) {
    if (need !== null) noteRefused(access, caller, request)
    const isPage = !isDataAddress(request.url ?? '/')
    if (!isPage) {
      sendRefusal(need === null ? noAddress() : notAllowed(need), request, response)
      return false
    }
    // Indistinguishable from an unknown address.
    request.url = NOWHERE
  }
  noteCaller(request.headers, caller)
  noteUse(access, caller, need, request)
  return true
}

const DEVELOPMENT = /^\/(?:_next|__nextjs)/

function selectNeedOf(path: string, { isDev }: GateOptions): Need | null {
  return isDev && DEVELOPMENT.test(path) ? 'nobody' : selectNeed(path)
}

const NOWHERE = '/not/found'

/** Embeds carry a token: frames on other sites get no cookies. */
const EMBED = /^\/embed\//
/** Keeps the token of an embed or feed out of logs. */
function takeLink(request: IncomingMessage, path: string, need: Need | null): { token?: string } {
  delete request.headers[FEED_LINK]
  const isFeed = need === 'feed'
  if (!(EMBED.test(path) || isFeed)) return {}
  const { searchParams } = new URL(`http://gate${request.url}`)
  const token = searchParams.get(LINK_PARAMETER)
  if (token === null) return {}
  searchParams.delete(LINK_PARAMETER)
  const query = searchParams.toString()
  // The framework would redirect a trailing slash and lose the token.
  request.url = query === '' ? path : `${path}?${query}`
  if (isFeed && PRINTABLE.test(token)) request.headers[FEED_LINK] = token
  return { token }
}

const PRINTABLE = /^[\x21-\x7e]{1,512}$/

function readShown(request: IncomingMessage, { proxy, isFromProxy }: GateOptions) {
  const { headers } = request
  const token = readBearer(headers.authorization)
  const session = readSessionCookie(headers.cookie, isSecure(request))
  const named = proxy && isFromProxy(request) ? readNamed(request, proxy) : undefined
  return { token, session, named }
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

const isSecure = ({ headers }: IncomingMessage) => isHttps(readForwardedProto(headers))

const notOpen = () =>
  new AppError('not_ready', 'Accounts cannot be read. See the log.', {
    retryAfterSeconds: 5,
  })
const noAddress = () => new AppError('not_found', 'No such address.')
const notAllowed = (need: Need) =>
  new AppError('forbidden', `This requires the permission “${need}”, which you do not have.`)

function sendToSignIn(access: Access, request: IncomingMessage, response: ServerResponse): void {
  const { method, url = '/', headers } = request
  const isPage = !isDataAddress(url) && (method === 'GET' || method === 'HEAD')
  // The sign-in page must not be framed.
  if (EMBED.test(url)) sendMissingLink(request, response)
  else if (WELL_KNOWN.test(url)) sendRefusal(noAddress(), request, response)
  else if (isPage && access.mode !== 'proxy' && headers.rsc === undefined) {
    const location = withBase(withNext('/sign-in', url))
    response.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': 0 }).end()
  } else {
    const message =
      access.mode === 'proxy'
        ? 'The proxy did not send a valid user name.'
        : 'Sign in first, or send a token.'
    sendRefusal(new AppError('unauthorized', message), request, response, CHALLENGE)
  }
}

/** Assistants look here for a way to sign in: a page would confuse them. */
const WELL_KNOWN = /^\/\.well-known\//

function sendMissingLink(request: IncomingMessage, response: ServerResponse): void {
  const message = 'This chart needs a valid embed token: the token is missing, expired or revoked.'
  sendRefusal(new AppError('unauthorized', message), request, response, {
    'content-security-policy': "default-src 'none'; frame-ancestors *",
  })
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="Bellwether"' }

function noteRefused(access: Access, { name }: Caller, request: IncomingMessage): void {
  const what = `asked for ${toPath(request)}`
  access.audit.note({ kind: 'refused', who: name, from: fromOf(request), what, outcome: 'refused' })
}

const ALERTS = /^\/api\/alerts\//

function noteUse(
  access: Access,
  { name }: Caller,
  need: Need | null,
  request: IncomingMessage,
): void {
  const entry = { who: name, from: fromOf(request), outcome: 'done' } as const
  if (need === 'manage' && request.method !== 'GET' && ALERTS.test(toPath(request))) {
    const what = `changed or tried alerts: ${request.method} ${toPath(request)}`
    access.audit.note({ ...entry, kind: 'alert', what })
  }
  if (request.method !== 'GET' && request.method !== 'POST') return
  if (need === 'export') {
    access.audit.note({ ...entry, kind: 'export', what: `downloaded ${toPath(request)}` })
  }
  if (need === 'sync' && request.method === 'POST') {
    const kind = toPath(request) === '/api/backups' ? 'backup' : 'sync'
    access.audit.note({ ...entry, kind, what: `asked for a ${kind}` })
  }
}

const fromOf = ({ headers }: IncomingMessage) => String(headers[CLIENT] ?? '')

/** Without the query, which may be private. */
const toPath = ({ url = '/' }: IncomingMessage) =>
  url.split('?')[0]?.replace(/(?<=.)\/$/, '') ?? '/'
