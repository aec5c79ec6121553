import 'server-only'
import { type Access, toClosedProblem } from '#lib/access/access.ts'
import { AccessProblem, toAccountName } from '#lib/access/accounts.ts'
import type { Session } from '#lib/access/sessions.ts'
import type { Token } from '#lib/access/tokens.ts'
import { sendNow } from '#lib/api/respond.ts'
import {
  type AccountsAnswer,
  type MeAnswer,
  type SessionEntry,
  type TokenEntry,
  wantedAccount,
  wantedPassword,
  wantedToken,
} from '#lib/contract/answers/access.ts'
import { type Caller, permits } from '#lib/contract/caller.ts'
import { AppError } from '#lib/contract/faults.ts'
import {
  type AnswerAccess,
  noLonger,
  noSuch,
  note,
  type ProviderAnswers,
  readBody,
  requireCaller,
  requireCurrent,
  requirePerson,
  sendDone,
  toIssue,
  toOrigin,
} from './access-request.ts'
import type { AccessAnswers, AccessOperationId } from './mount-access.ts'
import {
  isRefusal,
  noteFailedSignIn,
  PASSWORD_MAX,
  sayBroken,
  signIn,
  signOut,
  withSessionCookie,
} from './sign-in.ts'

const answerMe: AnswerAccess = async ({ access, context }) => {
  const caller = requireCaller(context)
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

const endSessions: AnswerAccess = async ({ access, request, context, parts }) => {
  const caller = requirePerson(request, context)
  const isMeant = ({ id, name }: Session) =>
    parts.id === undefined
      ? name === caller.name && id !== caller.via.id
      : id === parts.id && (name === caller.name || permits(caller.permissions, 'manage'))
  const whose = access.sessions.list().find(isMeant)?.name ?? caller.name
  const ended = await access.sessions.end(isMeant)
  if (ended === 0 && parts.id !== undefined) throw noSuch('session')
  const what = `ended ${ended === 1 ? 'a session' : `${ended} sessions`} of ${whose}`
  note(access, context, { kind: 'session', who: caller.name, what })
  return sendDone()
}

const makeToken: AnswerAccess = async ({ access, request, context }) => {
  requirePerson(request, context)
  const { label, scopes, days } = await readBody(request, wantedToken)
  const caller = requireCurrent(access, request, context)
  const allowed = scopes.filter((scope) => permits(caller.permissions, scope))
  if (allowed.length < scopes.length) {
    throw new AppError('forbidden', 'A token cannot have more permissions than its creator.')
  }
  const token = await access.tokens.create({ name: caller.name, label, scopes: allowed, days })
  note(access, context, {
    kind: 'token',
    who: caller.name,
    what: `created the token ${label} for ${allowed.join(', ')}`,
  })
  return sendNow({ success: true, code: 201, data: { token } })
}

const endToken: AnswerAccess = async ({ access, request, context, parts }) => {
  const caller = requirePerson(request, context)
  const found = access.tokens
    .list()
    .find(
      ({ id, name }) =>
        id === parts.id && (name === caller.name || permits(caller.permissions, 'manage')),
    )
  if (!found) throw noSuch('token')
  await access.tokens.end(({ id }) => id === found.id)
  note(access, context, {
    kind: 'token',
    who: caller.name,
    what: `revoked the token ${found.label} of ${found.name}`,
  })
  return sendDone()
}

const changePassword: AnswerAccess = async ({ access, request, context }) => {
  requirePerson(request, context)
  if (access.mode !== 'password') {
    throw new AppError(
      'bad_request',
      'The password is managed by the identity provider. Change it there.',
    )
  }
  const { current, next } = await readBody(request, wantedPassword)
  const caller = requireCurrent(access, request, context)
  // Rate limited like sign-in.
  const asked = {
    name: caller.name,
    password: current.slice(0, PASSWORD_MAX),
    ...toOrigin(request, context),
  }
  const outcome = await access.check(asked)
  if (!outcome.ok) {
    if (outcome.why === 'wrong') throw toIssue('current', 'The current password is not right.')
    throw new AppError('rate_limited', 'Too many failed attempts. Wait a while.', {
      retryAfterSeconds: outcome.waitSeconds,
    })
  }
  const account = await access.accounts.setPassword(caller.name, next)
  await access.refresh()
  note(access, context, { kind: 'account', who: caller.name, what: 'changed the password' })
  const secret = await access.begin(account, toOrigin(request, context))
  return withSessionCookie(sendDone(), context, secret)
}

const answerAccounts: AnswerAccess = async ({ access, context }) => {
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
      sessions: toSessionEntries(access.sessions.list(), requireCaller(context)),
      tokens: toTokenEntries(access.tokens.list()),
    },
  } satisfies AccountsAnswer)
}

const changeAccount: AnswerAccess = async ({ access, request, context, parts }) => {
  requirePerson(request, context)
  const name = toAccountName(parts.name ?? '')
  const wanted = await readBody(request, wantedAccount)
  const caller = requireCurrent(access, request, context)
  if (!permits(caller.permissions, 'manage')) throw noLonger()
  if (name === caller.name) {
    throw new AppError('bad_request', 'You cannot change your own account. Ask another operator.')
  }
  if (!(await access.accounts.list()).some((one) => one.name === name)) throw noSuch('account')
  if (wanted.role !== undefined) {
    await access.accounts.setRole(name, wanted.role)
    note(access, context, {
      kind: 'account',
      who: caller.name,
      what: `created ${name} ${wanted.role === 'operator' ? 'an operator' : 'a reader'}`,
    })
  }
  if (wanted.is_locked !== undefined) {
    await access.accounts.setLocked(name, wanted.is_locked)
    note(access, context, {
      kind: 'account',
      who: caller.name,
      what: `${wanted.is_locked ? 'locked' : 'unlocked'} ${name}`,
    })
  }
  await access.refresh()
  return sendDone()
}

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

const noProvider: AnswerAccess = async () => {
  throw new AppError('not_found', 'Sign-in with a provider is not configured (ACCESS).')
}

/** `selectProblem`: why there is no access. */
export function createAccessAnswers(
  selectAccess: () => Access | null,
  provider: ProviderAnswers | null = null,
  selectProblem: () => unknown = () => null,
): AccessAnswers {
  const answerers: Readonly<Record<AccessOperationId, AnswerAccess>> = {
    me: answerMe,
    signIn,
    signOut,
    endSessions,
    endSession: endSessions,
    makeToken,
    endToken,
    changePassword,
    accounts: answerAccounts,
    changeAccount,
    oidc: provider?.start ?? noProvider,
    oidcCallback: provider?.finish ?? noProvider,
  }
  return {
    async answer(name, asked) {
      const access = selectAccess()
      try {
        if (!access) throw toClosedProblem(selectProblem())
        return await answerers[name]({ ...asked, access, provider })
      } catch (error) {
        if (error instanceof AccessProblem) throw new AppError('bad_request', error.message)
        if (name !== 'signIn' || isRefusal(error)) throw error
        if (access) noteFailedSignIn(access, asked.context, error)
        return sayBroken(error)
      }
    },
  }
}
