import 'server-only'
import type * as z from 'zod/mini'
import type { Access } from '#lib/access/access.ts'
import { isFromUs, sendNow } from '#lib/api/respond.ts'
import type { Caller } from '#lib/contract/caller.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { AccessInput } from './mount-access.ts'

type AccessRequest = AccessInput & { access: Access; provider?: ProviderAnswers | null }

export type AnswerAccess = (asked: AccessRequest) => Promise<Response>

export type ProviderAnswers = {
  start: AnswerAccess
  finish: AnswerAccess
  selectEnd(): Promise<URL | null>
}

type Context = AccessInput['context']

export function requireCaller({ caller }: Pick<Context, 'caller'>): Caller {
  if (caller.via.kind === 'none')
    throw new AppError('unauthorized', 'Sign in first, or send a token.')
  return caller
}

/** A leaked script token must not create tokens or change accounts. */
export function requirePerson(request: Request, context: Context): Caller {
  requireOurs(request)
  const caller = requireCaller(context)
  if (caller.via.kind !== 'token') return caller
  throw new AppError('forbidden', 'A token cannot do that. Sign in.')
}

/** Checks again after the body: a client can delay it until its session has ended. */
export function requireCurrent(access: Access, request: Request, context: Context): Caller {
  const caller = access.createRevalidator()(requirePerson(request, context))
  if (!caller) throw noLonger()
  return caller
}

export const noLonger = () =>
  new AppError('unauthorized', 'Your session or permission has ended. Sign in again.')

export function requireOurs({ headers }: Request): void {
  if (!isFromUs(headers))
    throw new AppError('forbidden', 'Only a page of this dashboard may do that.')
}

export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim()
  if (type !== 'application/x-www-form-urlencoded') {
    throw new AppError('bad_request', 'This address expects a form.')
  }
  return new URLSearchParams(await request.text())
}

export async function readBody<S extends z.ZodMiniType>(
  request: Request,
  schema: S,
): Promise<z.output<S>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim()
  if (type !== 'application/json') throw new AppError('bad_request', 'This address expects JSON.')
  const body: unknown = await request.json().catch(() => undefined)
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new AppError('bad_request', 'The body is not valid for this address.', {
    issues: parsed.error.issues.map((issue) => ({
      parameter: issue.path.join('.') || 'body',
      message: 'is missing or has the wrong type',
    })),
  })
}

export const toIssue = (parameter: string, message: string) =>
  new AppError('bad_request', message, { issues: [{ parameter, message }] })

export const noSuch = (what: string) => new AppError('not_found', `No such ${what}.`)

export const toOrigin = ({ headers }: Request, { client }: Context) => ({
  from: client,
  agent: headers.get('user-agent') ?? '',
})

type Noted = Pick<Parameters<Access['audit']['note']>[0], 'kind' | 'who' | 'what'>

export const note = (access: Access, { client }: Context, noted: Noted) =>
  access.audit.note({ ...noted, from: client, outcome: 'done' })

export const sendDone = () => sendNow({ success: true, code: 200, data: {} })
