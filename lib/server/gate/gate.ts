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
import type { Need } from '#lib/contract/operations/operation.ts'
import { readBearer } from '#lib/http/bearer.ts'
import { noteCaller } from './callers.ts'
import { type Answerer, isDataAddress, sendRefusal } from './refuse.ts'
import { isHttps, readForwardedProto } from './request-policy.ts'
import { readSessionCookie } from './session-cookie.ts'

export type GateOptions = {
  /** null while it cannot be opened: then nobody is let in. */
  access: () => Access | null
  /** Where a proxy in front says who it is: the request headers that it says so in. null where none does. */
  proxy: { name: string; groups: string } | null
  /**
   * Where others let people in, too: reads whom, for somebody who shows a secret that is not known here. Never rejects. null
   * where nobody else does.
   */
  lookAnew?: (() => Promise<void>) | null
  /** Whether a request came straight from a proxy that is known. */
  isFromProxy: (request: IncomingMessage) => boolean
  /** Runs something every so many seconds, and gives what ends it. */
  every: (seconds: number, run: () => void) => () => void
  /** The development server has files of its own. */
  isDev: boolean
}

/** The gate where nobody signs in. */
export const letEverybodyIn =
  (answer: Answerer): Answerer =>
  (request, response) => {
    noteCaller(request.headers, ANYBODY)
    answer(request, response)
  }

/** Answers that last are looked at this often: whether who asked would still be let in. */
const LOOK_SECONDS = 10

/**
 * Stands before all that answers: knows who asks, and what each address asks for. What it lets through carries in its
 * headers who asks; nothing behind it decides that again.
 */
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

/**
 * Events have no end that a reader could take for the whole, so they end as a stream does; anything else must be seen to be cut
 * off. Who does not read to that end by the next look loses the connection.
 */
function breakOff(response: ServerResponse): void {
  const type = String(response.getHeader('content-type') ?? '')
  const isEvents = response.headersSent && type.startsWith('text/event-stream')
  if (isEvents && !response.writableEnded) response.end()
  else response.destroy()
}

type Decided = { access: Access | null; caller: Caller | null }

/** What only whoever is known may ask for; signing out as well, which is to end a session wherever that began. */
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

/** Whether it may be answered; where it may not, it has been refused. */
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
    // As if it were not there: the page that says so is the one for every address that is none.
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

/** No page of ours. */
const NOWHERE = '/not/found'

/** What other pages frame: they show a token in the address, since a browser sends no cookie of ours from there. */
const EMBED = /^\/embed\//
/**
 * The token of an address of an embed or a feed, whose readers cannot sign in either; the address is the same without it, so
 * that it stands in no log. A feed names addresses of its own, which have to show it again: it is told by a header.
 */
function takeLink(request: IncomingMessage, path: string, need: Need | null): { token?: string } {
  delete request.headers[FEED_LINK]
  const isFeed = need === 'feed'
  if (!(EMBED.test(path) || isFeed)) return {}
  const { searchParams } = new URL(`http://gate${request.url}`)
  const token = searchParams.get(LINK_PARAMETER)
  if (token === null) return {}
  searchParams.delete(LINK_PARAMETER)
  const query = searchParams.toString()
  // Without its last slash: the framework would redirect there, and the token would be lost.
  request.url = query === '' ? path : `${path}?${query}`
  if (isFeed && PRINTABLE.test(token)) request.headers[FEED_LINK] = token
  return { token }
}

/** What a header may hold. */
const PRINTABLE = /^[\x21-\x7e]{1,512}$/

function readShown(request: IncomingMessage, { proxy, isFromProxy }: GateOptions) {
  const { headers } = request
  const token = readBearer(headers.authorization)
  const session = readSessionCookie(headers.cookie, isSecure(request))
  const named = proxy && isFromProxy(request) ? readNamed(request, proxy) : undefined
  return { token, session, named }
}

/** Whom the proxy names; undefined if that is no plain name, or if a header comes twice: one may be the client's. */
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

/** The UTF-8 text of a header: Node takes each byte for a character. */
const toText = (value: string) => Buffer.from(value, 'latin1').toString('utf8')

/** Whether the browser asked by https, as far as a proxy that is known says so. */
const isSecure = ({ headers }: IncomingMessage) => isHttps(readForwardedProto(headers))

const notOpen = () =>
  new AppError('not_ready', 'Who may come in cannot be looked up: see the log.', {
    retryAfterSeconds: 5,
  })
const noAddress = () => new AppError('not_found', 'There is no such address.')
const notAllowed = (need: Need) =>
  new AppError('forbidden', `This takes the permission “${need}”, which you do not have.`)

/** Who has not said who he is: a page leads to where he does, everything else says that he must. */
function sendToSignIn(access: Access, request: IncomingMessage, response: ServerResponse): void {
  const { method, url = '/', headers } = request
  const isPage = !isDataAddress(url) && (method === 'GET' || method === 'HEAD')
  // The way in may not be framed, and would be in a frame of another page's.
  if (EMBED.test(url)) sendMissingLink(request, response)
  else if (isPage && access.mode !== 'proxy' && headers.rsc === undefined) {
    const way = `/sign-in${url === '/' ? '' : `?next=${encodeURIComponent(url)}`}`
    const location = withBase(way)
    response.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': 0 }).end()
  } else {
    const message =
      access.mode === 'proxy'
        ? 'The proxy in front does not say who you are, or in a way that is not accepted.'
        : 'Sign in first, or show a token.'
    sendRefusal(new AppError('unauthorized', message), request, response, CHALLENGE)
  }
}

function sendMissingLink(request: IncomingMessage, response: ServerResponse): void {
  const message = 'This chart is shown by a link that is missing, has ended, or was taken back.'
  sendRefusal(new AppError('unauthorized', message), request, response, {
    'content-security-policy': "default-src 'none'; frame-ancestors *",
  })
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="Bellwether"' }

function noteRefused(access: Access, { name }: Caller, request: IncomingMessage): void {
  const what = `asked for ${toPath(request)}`
  access.audit.note({ kind: 'refused', who: name, from: fromOf(request), what, outcome: 'refused' })
}

/** What says whom the process sends messages to, and has it send one. */
const ALERTS = /^\/api\/alerts\//

/** What takes data away, spends requests, fills a disk or says whom messages go to is worth a line. */
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

/** Without the last slash, and without the query, which says what somebody looked for. */
const toPath = ({ url = '/' }: IncomingMessage) =>
  url.split('?')[0]?.replace(/(?<=.)\/$/, '') ?? '/'
