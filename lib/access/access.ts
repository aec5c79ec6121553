import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readTextFile, replaceFile, type Sleep } from '#lib/files/json-file.ts'
import { type Account, type Accounts, createAccounts, toAccountName } from './accounts.ts'
import { createAttempts } from './attempts.ts'
import { type AuditLog, openAuditLog } from './audit.ts'
import { createPasswords } from './passwords.ts'
import { type AccessMode, ANYBODY, type Caller, ROLES, type Role } from './permissions.ts'
import { createSessions, type Session, type Sessions } from './sessions.ts'
import { createTokens, type Token, type Tokens } from './tokens.ts'

export type AccessOptions = {
  mode: AccessMode
  /** Where it keeps what it knows; made where it is missing. */
  dir: string
  /** Seconds since 1970. */
  now: () => number
  sleep: Sleep
  /** In seconds. */
  limits: { idle: number; absolute: number }
  /** Whether somebody that a provider or a proxy names is an operator, by his name and groups. */
  isOperator: (name: string, groups: readonly string[]) => boolean
  onProblem: (error: unknown) => void
}

/** What a request shows of who it comes from. */
export type Shown = {
  session?: string
  token?: string
  /** Whom a proxy in front names; only where that proxy is known. */
  named?: { name: string; groups: readonly string[] }
}

/** Where somebody comes from: the client's address, and what his browser calls itself. */
export type Origin = { from: string; agent: string }

export type SignInOutcome =
  | { ok: true; secret: string }
  | { ok: false; why: 'wrong' }
  | { ok: false; why: 'slow'; waitSeconds: number }

/** Who is let in, and what he may do. */
export type Access = {
  mode: AccessMode
  accounts: Accounts
  sessions: Sessions
  tokens: Tokens
  audit: AuditLog
  /** Of this data folder; see {@link loadSecret}. */
  secret: Buffer
  /** Who it is; null where nobody. */
  identify(shown: Shown): Caller | null
  /** Whether somebody who was let in still would be: for answers that last. */
  isStill(caller: Caller): boolean
  /** With a password. Throws AppError('busy'). */
  signIn(asked: { name: string; password: string } & Origin): Promise<SignInOutcome>
  /** With what a provider says; gives the secret of the session. */
  welcome(who: { name: string; groups: readonly string[] } & Origin): Promise<string>
  /** Reads what the command line has changed. To be called about once a second. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Opens what is known of who may come in. Throws where a file of it is damaged: then nobody is let in. */
export async function openAccess(options: AccessOptions): Promise<Access> {
  const { mode, dir, now, sleep, limits, isOperator, onProblem } = options
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const secret = await loadSecret(dir)
  const accounts = createAccounts({ dir, now, sleep, passwords: createPasswords() })
  const sessions = createSessions({ dir, secret, now, sleep, limits })
  const tokens = createTokens({ dir, now, sleep })
  const audit = await openAuditLog({ file: join(dir, 'audit.ndjson'), now, onProblem })
  const attempts = createAttempts(now)
  let known: ReadonlyMap<string, Account> = new Map()
  const refresh = async () => {
    known = new Map((await accounts.list()).map((one) => [one.name, one]))
    await Promise.all([sessions.refresh(), tokens.refresh()])
  }
  await refresh()

  const toRole = (groups: readonly string[], name: string): Role =>
    isOperator(name, groups) ? 'operator' : 'reader'
  /** The role of somebody with an account; null where it is gone or locked, or has another password since. */
  const roleOf = (name: string, since = Number.POSITIVE_INFINITY): Role | null => {
    const found = known.get(name)
    return found && found.locked_at === null && found.password_at <= since ? found.role : null
  }
  /** What an owner may do now; those whom others vouch for are as they were when they last came. */
  const rightsOf = (name: string) => {
    const role =
      mode === 'password'
        ? roleOf(name)
        : (sessions.list().find((one) => one.name === name)?.role ?? toRole([], name))
    return role === null ? [] : ROLES[role]
  }
  const bySession = (session: Session): Caller | null => {
    const { id, name, created_at } = session
    const role = mode === 'password' ? roleOf(name, created_at) : session.role
    if (role === null) return null
    return { name, permissions: ROLES[role], via: { kind: 'session', id } }
  }
  const byToken = ({ id, name, scopes }: Token): Caller | null => {
    const rights: readonly string[] = rightsOf(name)
    const permissions = scopes.filter((scope) => rights.includes(scope))
    return permissions.length === 0 ? null : { name, permissions, via: { kind: 'token', id } }
  }
  const identify: Access['identify'] = ({ session, token, named }) => {
    if (mode === 'open') return ANYBODY
    if (token !== undefined) {
      const found = tokens.find(token)
      return found && byToken(found)
    }
    if (mode === 'proxy') {
      if (!named) return null
      const permissions = ROLES[toRole(named.groups, named.name)]
      return { name: named.name, permissions, via: { kind: 'proxy', id: named.name } }
    }
    const found = session === undefined ? null : sessions.find(session)
    return found && bySession(found)
  }
  return {
    mode,
    accounts,
    sessions,
    tokens,
    audit,
    secret,
    identify,
    isStill({ via }) {
      if (via.kind === 'session') {
        const found = sessions.list().find(({ id }) => id === via.id)
        return found !== undefined && bySession(found) !== null
      }
      if (via.kind === 'token') {
        const found = tokens.list().find(({ id }) => id === via.id)
        return found !== undefined && byToken(found) !== null
      }
      return true
    },
    async signIn({ name: given, password, from, agent }) {
      const name = toAccountName(given)
      const note = (what: string, outcome: 'done' | 'refused') =>
        audit.note({ kind: 'sign-in', who: name, from, what, outcome })
      const waitSeconds = attempts.waitSeconds(name, from)
      if (waitSeconds > 0) {
        note('tried to sign in again, too soon', 'refused')
        return { ok: false, why: 'slow', waitSeconds }
      }
      attempts.noteFailure(name, from)
      const found = await accounts.signIn(name, password)
      if (!found) {
        note('gave a wrong name or password', 'refused')
        return { ok: false, why: 'wrong' }
      }
      attempts.noteSuccess(name, from)
      await refresh()
      const secret = await sessions.begin({ name, role: null, from, agent })
      note('signed in', 'done')
      return { ok: true, secret }
    },
    async welcome({ name, groups, from, agent }) {
      const secret = await sessions.begin({ name, role: toRole(groups, name), from, agent })
      audit.note({ kind: 'sign-in', who: name, from, what: 'signed in', outcome: 'done' })
      return secret
    },
    refresh,
    close: audit.close,
  }
}

const SECRET_BYTES = 32

/** What sessions are hashed with. Where the file is gone it is made anew, and every session has ended. */
async function loadSecret(dir: string): Promise<Buffer> {
  const path = join(dir, 'secret.key')
  const kept = Buffer.from((await readTextFile(path))?.trim() ?? '', 'base64url')
  if (kept.byteLength === SECRET_BYTES) return kept
  const made = randomBytes(SECRET_BYTES)
  await replaceFile(path, `${made.toString('base64url')}\n`)
  return made
}
