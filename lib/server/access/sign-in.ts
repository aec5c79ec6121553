import 'server-only'
import type { Access } from '#lib/access/access.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { selectDiskFault } from '#lib/contract/disk-faults.ts'
import { AppError } from '#lib/contract/faults.ts'
import { withNext } from '#lib/contract/path-part.ts'
import { toLogFields } from '#lib/server/environment/log.ts'
import type { RequestContext } from '#lib/server/gate/request-context.ts'
import { toClearing, toLocalAddress } from '#lib/server/gate/request-policy.ts'
import { toSessionCookie } from '#lib/server/gate/session-cookie.ts'
import { processLog } from '#lib/server/runtime/runtime.ts'
import { type AnswerAccess, note, readForm, requireOurs, toOrigin } from './access-request.ts'

/** Outlasts any session. */
const COOKIE_SECONDS = 400 * 86_400

export const signIn: AnswerAccess = async ({ access, request, context }) => {
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
    ...toOrigin(request, context),
  })
  if (outcome.ok) return await startSession({ access, context, secret: outcome.secret, next })
  if (outcome.why === 'wrong') return back('wrong')
  const response = back('slow')
  response.headers.set('retry-after', String(outcome.waitSeconds))
  return response
}

const NAME_MAX = 256
export const PASSWORD_MAX = 4096

type SignInContext = Pick<RequestContext, 'caller' | 'isHttps'>
type SignInStart = { access: Access; context: SignInContext; secret: string; next: string }

export async function startSession({
  access,
  context,
  secret,
  next,
}: SignInStart): Promise<Response> {
  const response = leadHome(next)
  // The old session is of use to a thief only.
  const before = context.caller.via
  if (before.kind === 'session') await access.sessions.end(({ id }) => id === before.id)
  return withSessionCookie(response, context, secret)
}

export function withSessionCookie(
  response: Response,
  { isHttps: isSecure }: Pick<RequestContext, 'isHttps'>,
  secret: string,
): Response {
  response.headers.set('set-cookie', toSessionCookie(secret, { isSecure, seconds: COOKIE_SECONDS }))
  return response
}

/** Also signs out at the OIDC provider; otherwise the next click would sign in again. */
export const signOut: AnswerAccess = async ({ access, request, context, provider }) => {
  requireOurs(request)
  const { caller, isHttps: isSecure } = context
  let end: URL | null = null
  if (caller.via.kind === 'session') {
    await access.sessions.end(({ id }) => id === caller.via.id)
    note(access, context, { kind: 'sign-out', who: caller.name, what: 'signed out' })
    end = (await provider?.selectEnd()) ?? null
  }
  const response = end ? leaveTo(end) : leadHome('/sign-in?why=out')
  response.headers.append('set-cookie', toSessionCookie('', { isSecure, seconds: 0 }))
  const clearing = toClearing(request.headers.get('host') ?? '', isSecure)
  for (const [name, value] of Object.entries(clearing)) response.headers.set(name, value)
  return response
}

export const isRefusal = (error: unknown) => error instanceof AppError && error.status < 500

export function sayBroken(error: unknown): Response {
  if (!isBusy(error)) processLog().error('a sign-in failed', toLogFields(error))
  return leadBack('/', selectReason(error) ?? 'broken')
}

/** Of `components/access/sign-in-screen.tsx`. Null for an unknown error. */
export function selectReason(error: unknown): string | null {
  if (isBusy(error)) return 'crowd'
  const disk = selectDiskFault(error)
  if (disk) return disk.kind === 'full' ? 'full' : 'read-only'
  return error instanceof AppError && error.fault === 'not_ready' ? 'later' : null
}

const isBusy = (error: unknown) => error instanceof AppError && error.fault === 'busy'

/** A crowd is turned away before anything is tried. */
export function noteFailedSignIn(
  { audit }: Access,
  { client: from }: Pick<RequestContext, 'client'>,
  error: unknown,
): void {
  if (isBusy(error)) return
  audit.note({ kind: 'sign-in', who: '', from, what: 'signed in', outcome: 'failed' })
}

const leadHome = (address: string): Response => leadTo(withBase(address))

export const leadTo = (location: string): Response =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })

export const leadBack = (next: string, why: string): Response =>
  leadHome(withNext('/sign-in', next, { why }))

/**
 * Not a redirect: `form-action` allows our own origin only, and Chromium applies it to redirects.
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
