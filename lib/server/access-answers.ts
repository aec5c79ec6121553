import 'server-only'
import type * as z from 'zod/mini'
import type { Access } from '#lib/access/access.ts'
import { AccessProblem, toAccountName } from '#lib/access/accounts.ts'
import { type Caller, may } from '#lib/access/permissions.ts'
import type { Session } from '#lib/access/sessions.ts'
import type { Token } from '#lib/access/tokens.ts'
import { CLIENT } from '#lib/api/create-api.ts'
import { isFromUs, sendNow } from '#lib/api/respond.ts'
import {
  type AccountsAnswer,
  type MeAnswer,
  type SessionEntry,
  type TokenEntry,
  wantedAccount,
  wantedPassword,
  wantedToken,
} from '#lib/contract/answers/access.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toLocalAddress } from './access-address.ts'
import { readCaller } from './callers.ts'
import type { AccessAnswerName, AccessAnswers, AskedOfAccess } from './mount-access.ts'
import { isHttps } from './request-policy.ts'
import { toSessionCookie } from './session-cookie.ts'

/** What an answer about who may come in is made from. */
type AccessAsked = AskedOfAccess & { access: Access; provider?: ProviderAnswers | null }

export type AnswerAccess = (asked: AccessAsked) => Promise<Response>

/** What is there only where people sign in with a provider. */
export type ProviderAnswers = {
  /** `GET /api/access/oidc`. */
  start: AnswerAccess
  /** `GET /api/access/oidc/callback`. */
  finish: AnswerAccess
  /** Where one signs out of the provider too; null where there is no such place. */
  selectEnd(): Promise<URL | null>
}

const AUDIT_SHOWN = 200

/** Longer than any session: what has ended is refused, whatever a browser keeps. */
const COOKIE_SECONDS = 400 * 86_400

/** `GET /api/access/me`. */
export const answerMe: AnswerAccess = async ({ access, request }) => {
  const caller = requireCaller(request)
  const own = <T extends { name: string }>({ name }: T) => name === caller.name
  return sendNow({
    success: true,
    code: 200,
    data: {
      mode: access.mode,
      name: caller.name,
      may: [...caller.permissions],
      sessions: toSessionEntries(access.sessions.list().filter(own), caller),
      tokens: toTokenEntries(access.tokens.list().filter(own)),
    },
  } satisfies MeAnswer)
}

/** `POST /api/access/sign-in`: a form, so that it works without scripts. Leads on to where one wanted to go. */
export const signIn: AnswerAccess = async ({ access, request }) => {
  requireOurs(request)
  const form = await readForm(request)
  const next = toLocalAddress(form.get('next'))
  const [name, password] = [form.get('name') ?? '', form.get('password') ?? '']
  const back = (why: string) => leadBack(next, why)
  if (access.mode !== 'password') return back('other')
  if (name.trim() === '' || password === '') return back('wrong')
  const outcome = await access.signIn({
    name: name.slice(0, NAME_MAX),
    password: password.slice(0, PASSWORD_MAX),
    ...toOrigin(request),
  })
  if (outcome.ok) return begin(request, outcome.secret, next)
  if (outcome.why === 'wrong') return back('wrong')
  const response = back('slow')
  response.headers.set('retry-after', String(outcome.waitSeconds))
  return response
}

const NAME_MAX = 256
const PASSWORD_MAX = 4096

/** Lets a browser in with a session that has just begun. */
export function begin(request: Request, secret: string, next: string): Response {
  const response = leadTo(next)
  const isSecure = isAskedByHttps(request)
  response.headers.set('set-cookie', toSessionCookie(secret, { isSecure, seconds: COOKIE_SECONDS }))
  return response
}

/**
 * `POST /api/access/sign-out`: the session ends here and everywhere; what the browser kept of pages goes. Where somebody came
 * by a provider, he is led on to sign out there: else the next click would sign him in again.
 */
export const signOut: AnswerAccess = async ({ access, request, provider }) => {
  requireOurs(request)
  const caller = readCaller(request.headers)
  let end: URL | null = null
  if (caller?.via.kind === 'session') {
    await access.sessions.end(({ id }) => id === caller.via.id)
    note(access, request, { kind: 'sign-out', who: caller.name, what: 'signed out' })
    end = (await provider?.selectEnd()) ?? null
  }
  const response = end ? leaveTo(end) : leadTo('/sign-in?why=out')
  const isSecure = isAskedByHttps(request)
  response.headers.append('set-cookie', toSessionCookie('', { isSecure, seconds: 0 }))
  response.headers.set('clear-site-data', '"cache"')
  return response
}

/** `DELETE /api/access/sessions`: all of one's own but this one. `…/{id}`: that one; an operator's, anybody's. */
export const endSessions: AnswerAccess = async ({ access, request, parts }) => {
  const caller = requirePerson(request)
  const isMeant = ({ id, name }: Session) =>
    parts.id === undefined
      ? name === caller.name && id !== caller.via.id
      : id === parts.id && (name === caller.name || may(caller, 'manage'))
  const whose = access.sessions.list().find(isMeant)?.name ?? caller.name
  const ended = await access.sessions.end(isMeant)
  if (ended === 0 && parts.id !== undefined) throw noSuch('session')
  const what = `ended ${ended === 1 ? 'a session' : `${ended} sessions`} of ${whose}`
  note(access, request, { kind: 'session', who: caller.name, what })
  return sendDone()
}

/** `POST /api/access/tokens`. */
export const makeToken: AnswerAccess = async ({ access, request }) => {
  const caller = requirePerson(request)
  const { label, scopes, days } = await readBody(request, wantedToken)
  const allowed = scopes.filter((scope) => may(caller, scope))
  if (allowed.length < scopes.length) {
    throw new AppError('forbidden', 'A token can do no more than whoever makes it.')
  }
  const token = await access.tokens.create({ name: caller.name, label, scopes: allowed, days })
  note(access, request, {
    kind: 'token',
    who: caller.name,
    what: `made the token ${label} for ${allowed.join(', ')}`,
  })
  return sendNow({ success: true, code: 201, data: { token } })
}

/** `DELETE /api/access/tokens/{id}`: one's own; an operator's, anybody's. */
export const endToken: AnswerAccess = async ({ access, request, parts }) => {
  const caller = requirePerson(request)
  const found = access.tokens
    .list()
    .find(({ id, name }) => id === parts.id && (name === caller.name || may(caller, 'manage')))
  if (!found) throw noSuch('token')
  await access.tokens.end(({ id }) => id === found.id)
  note(access, request, {
    kind: 'token',
    who: caller.name,
    what: `took back the token ${found.label} of ${found.name}`,
  })
  return sendDone()
}

/** `PUT /api/access/password`: one's own. Every other session of the account ends, and this one begins anew. */
export const changePassword: AnswerAccess = async ({ access, request }) => {
  const caller = requirePerson(request)
  if (access.mode !== 'password') {
    throw new AppError('bad_request', 'The password is not kept here: change it where you sign in.')
  }
  const { current, next } = await readBody(request, wantedPassword)
  // The old one is guessed at no faster here than at the way in.
  const asked = {
    name: caller.name,
    password: current.slice(0, PASSWORD_MAX),
    ...toOrigin(request),
  }
  const outcome = await access.signIn(asked)
  if (!outcome.ok) {
    if (outcome.why === 'wrong') throw toIssue('current', 'The current password is not right.')
    throw new AppError('rate_limited', 'That was wrong too often: wait a while.', {
      retryAfterSeconds: outcome.waitSeconds,
    })
  }
  await access.accounts.setPassword(caller.name, next)
  await access.sessions.end(({ name }) => name === caller.name)
  await access.refresh()
  note(access, request, { kind: 'account', who: caller.name, what: 'changed the password' })
  const secret = await access.sessions.begin({
    name: caller.name,
    role: null,
    ...toOrigin(request),
  })
  const response = sendDone()
  const isSecure = isAskedByHttps(request)
  response.headers.set('set-cookie', toSessionCookie(secret, { isSecure, seconds: COOKIE_SECONDS }))
  return response
}

/** `GET /api/access/accounts`. */
export const answerAccounts: AnswerAccess = async ({ access, request }) => {
  const accounts = access.mode === 'password' ? await access.accounts.list() : []
  return sendNow({
    success: true,
    code: 200,
    data: {
      accounts: accounts.map(({ name, role, created_at, locked_at }) => ({
        name,
        role,
        created_at,
        locked_at,
      })),
      sessions: toSessionEntries(access.sessions.list(), requireCaller(request)),
      tokens: toTokenEntries(access.tokens.list()),
      audit: [...access.audit.latest(AUDIT_SHOWN)],
    },
  } satisfies AccountsAnswer)
}

/** `PATCH /api/access/accounts/{name}`: the role, or whether it is locked; nobody does either to himself. */
export const changeAccount: AnswerAccess = async ({ access, request, parts }) => {
  const caller = requirePerson(request)
  const name = toAccountName(parts.name ?? '')
  const wanted = await readBody(request, wantedAccount)
  if (name === caller.name) {
    throw new AppError('bad_request', 'Somebody else has to change your own account.')
  }
  if (!(await access.accounts.list()).some((one) => one.name === name)) throw noSuch('account')
  if (wanted.role !== undefined) {
    await access.accounts.setRole(name, wanted.role)
    note(access, request, {
      kind: 'account',
      who: caller.name,
      what: `made ${name} ${wanted.role === 'operator' ? 'an operator' : 'a reader'}`,
    })
  }
  if (wanted.is_locked !== undefined) {
    await access.accounts.setLocked(name, wanted.is_locked)
    if (wanted.is_locked) await access.sessions.end((session) => session.name === name)
    note(access, request, {
      kind: 'account',
      who: caller.name,
      what: `${wanted.is_locked ? 'locked' : 'unlocked'} ${name}`,
    })
  }
  await access.refresh()
  return sendDone()
}

/** `GET /api/access/audit.ndjson`: the newest entries that are held, oldest first. */
export const answerAudit: AnswerAccess = async ({ access }) => {
  const lines = access.audit
    .latest(Number.MAX_SAFE_INTEGER)
    .toReversed()
    .map((entry) => `${JSON.stringify(entry)}\n`)
  return new Response(lines.join(''), {
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="audit.ndjson"',
      'cache-control': 'no-store',
    },
  })
}

/** The one that asks first, then as they were used last. */
const toSessionEntries = (sessions: readonly Session[], { via }: Caller): SessionEntry[] =>
  sessions
    .map(({ id, name, created_at, used_at, from, agent }) => ({
      id,
      name,
      created_at,
      used_at: used_at ?? created_at,
      from,
      agent,
      is_this: via.kind === 'session' && via.id === id,
    }))
    .sort((a, b) => Number(b.is_this) - Number(a.is_this) || b.used_at - a.used_at)

/** The newest first. */
const toTokenEntries = (tokens: readonly Token[]): TokenEntry[] =>
  tokens
    .map(({ id, name, label, scopes, created_at, ends_at, used_at }) => ({
      id,
      name,
      label,
      scopes,
      created_at,
      ends_at,
      used_at,
    }))
    .sort((a, b) => b.created_at - a.created_at)

function requireCaller(request: Request): Caller {
  const caller = readCaller(request.headers)
  if (!caller) throw new AppError('unauthorized', 'Sign in first, or show a token.')
  return caller
}

/** Somebody at a page of ours: a script that was left somewhere must not make itself another token, nor change who may come in. */
function requirePerson(request: Request): Caller {
  requireOurs(request)
  const caller = requireCaller(request)
  if (caller.via.kind !== 'token') return caller
  throw new AppError('forbidden', 'A token may not do that: sign in.')
}

function requireOurs({ headers }: Request): void {
  if (!isFromUs(headers))
    throw new AppError('forbidden', 'Only a page of this dashboard may ask for that.')
}

async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim()
  if (type !== 'application/x-www-form-urlencoded') {
    throw new AppError('bad_request', 'This address takes a form.')
  }
  return new URLSearchParams(await request.text())
}

async function readBody<S extends z.ZodMiniType>(
  request: Request,
  schema: S,
): Promise<z.output<S>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim()
  if (type !== 'application/json') throw new AppError('bad_request', 'This address takes JSON.')
  const body: unknown = await request.json().catch(() => undefined)
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new AppError('bad_request', 'The body is not what this address takes.', {
    issues: parsed.error.issues.map((issue) => ({
      parameter: issue.path.join('.') || 'body',
      message: 'is missing or of another kind',
    })),
  })
}

const toIssue = (parameter: string, message: string) =>
  new AppError('bad_request', message, { issues: [{ parameter, message }] })

const noSuch = (what: string) => new AppError('not_found', `There is no such ${what}.`)

const noProvider: AnswerAccess = async () => {
  throw new AppError('not_found', 'Nobody signs in with a provider here (ACCESS).')
}

/** Everything below `/api/access`; `selectAccess` gives null while nobody can be let in. */
export function createAccessAnswers(
  selectAccess: () => Access | null,
  provider: ProviderAnswers | null = null,
): AccessAnswers {
  const answerers: Readonly<Record<AccessAnswerName, AnswerAccess>> = {
    me: answerMe,
    signIn,
    signOut,
    endSessions,
    makeToken,
    endToken,
    changePassword,
    accounts: answerAccounts,
    changeAccount,
    audit: answerAudit,
    oidc: provider?.start ?? noProvider,
    oidcCallback: provider?.finish ?? noProvider,
  }
  return {
    async answer(name, asked) {
      const access = selectAccess()
      if (!access) {
        const message = 'Who may come in cannot be looked up: see the log.'
        throw new AppError('not_ready', message, { retryAfterSeconds: 5 })
      }
      try {
        return await answerers[name]({ ...asked, access, provider })
      } catch (error) {
        // What somebody asked wrongly of accounts or tokens.
        throw error instanceof AccessProblem ? new AppError('bad_request', error.message) : error
      }
    },
  }
}

/** Where a request comes from. */
export const toOrigin = ({ headers }: Request) => ({
  from: headers.get(CLIENT) ?? '',
  agent: headers.get('user-agent') ?? '',
})

const isAskedByHttps = ({ headers }: Request) => isHttps(headers.get('x-forwarded-proto'))

type Noted = Pick<Parameters<Access['audit']['note']>[0], 'kind' | 'who' | 'what'>

const note = (access: Access, request: Request, noted: Noted) =>
  access.audit.note({ ...noted, from: toOrigin(request).from, outcome: 'done' })

const sendDone = () => sendNow({ success: true, code: 200, data: {} })

export const leadTo = (location: string): Response =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })

/** To the way in, which says why; from there one goes on to `next`. */
export const leadBack = (next: string, why: string): Response =>
  leadTo(`/sign-in?${new URLSearchParams({ ...(next !== '/' && { next }), why })}`)

/**
 * From a form to another site. A redirect would not get there: pages allow forms to lead to ourselves alone (`form-action`),
 * and Chromium holds redirects of a form to it as well.
 */
function leaveTo({ href }: URL): Response {
  const link = href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const page = `<!doctype html><html lang="en"><title>Signing out</title><a href="${link}">Sign out of the provider too</a>`
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      refresh: `0; url=${href}`,
    },
  })
}
