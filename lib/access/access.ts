import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AccessMode } from '#lib/contract/answers/access.ts'
import type { Caller } from '#lib/contract/caller.ts'
import { selectDiskFault } from '#lib/contract/disk-faults.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { Sleep } from '#lib/files/json-file.ts'
import {
  type Account,
  type Accounts,
  createAccounts,
  toAccountName,
  toPasswordId,
} from './accounts.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import { AUDIT_FILE, type AuditLog, openAuditLog } from './audit.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { createRecogniser, type PresentedCredentials } from './recogniser.ts'
import { type AccessRecords, createFileRecords } from './records.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createTokens, type Tokens } from './tokens.ts'

type AccessOptions = {
  mode: AccessMode
  dir: string
  /** The audit log always stays in `dir`. */
  records?: AccessRecords
  passwords?: Passwords
  now: () => number
  sleep: Sleep
  limits: { idle: number; absolute: number }
  isOperator: (name: string, groups: readonly string[]) => boolean
  onProblem: (error: unknown) => void
}

export type Origin = { from: string; agent: string }

type Refused = { ok: false; why: 'wrong' } | { ok: false; why: 'slow'; waitSeconds: number }

type SignInAttempt = { name: string; password: string } & Origin

export type Access = {
  mode: AccessMode
  accounts: Accounts
  sessions: Sessions
  tokens: Tokens
  audit: AuditLog
  secret: Buffer
  identify(shown: PresentedCredentials): Caller | null
  /** The check returns null once the caller has lost access. */
  createRevalidator(): (caller: Caller) => Caller | null
  /** Wrong guesses are counted. Throws AppError `busy`. */
  check(attempt: SignInAttempt): Promise<{ ok: true; account: Account } | Refused>
  signIn(attempt: SignInAttempt): Promise<{ ok: true; secret: string } | Refused>
  /** Pass the account as it was verified: the session ends when that password changes. */
  begin(account: Account, origin: Origin): Promise<string>
  welcome(who: { name: string; groups: readonly string[] } & Origin): Promise<string>
  refresh(): Promise<void>
  close(): Promise<void>
}

export async function openAccess(options: AccessOptions): Promise<Access> {
  const { mode, dir, now, sleep, limits, isOperator, onProblem } = options
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const { records = createFileRecords({ dir, now, sleep }), passwords = createPasswords() } =
    options
  const secret = await loadSecret(records)
  const sessions = createSessions({ records, secret, now, limits })
  const tokens = createTokens({ records, now })
  const accounts = withEnds(createAccounts({ records, now, passwords }), { sessions, tokens })
  const audit = await openAuditLog({ file: join(dir, AUDIT_FILE), now, onProblem })
  const recogniser = createRecogniser({ mode, sessions, tokens, isOperator, now })
  const refresh = async () => {
    recogniser.learn(await accounts.list())
    await Promise.all([sessions.refresh(), tokens.refresh()])
    await tokens.noteRoles(recogniser.metAs)
  }
  await refresh()
  const parts = { mode, accounts, sessions, tokens, audit, secret }
  const check = createCheck({ accounts, audit, attempts: createAttempts(now) })
  const begin: Access['begin'] = async (account, { from, agent }) => {
    const password_id = toPasswordId(account)
    return await sessions.begin({ name: account.name, role: null, password_id, from, agent })
  }
  return {
    ...parts,
    identify: recogniser.identify,
    createRevalidator: recogniser.createRevalidator,
    check,
    begin,
    async signIn(asked) {
      const outcome = await check(asked)
      if (!outcome.ok) return outcome
      const { name } = outcome.account
      const opened = await begin(outcome.account, asked)
      await refresh()
      const note = { kind: 'sign-in', who: name, from: asked.from } as const
      if (recogniser.identify({ session: opened })) {
        audit.note({ ...note, what: 'signed in', outcome: 'done' })
        return { ok: true, secret: opened }
      }
      const id = sessions.find(opened)?.id
      await sessions.end((one) => one.id === id)
      audit.note({ ...note, what: 'was blocked while signing in', outcome: 'refused' })
      return { ok: false, why: 'wrong' }
    },
    async welcome({ name, groups, from, agent }) {
      const role = recogniser.meet(name, groups)
      const opened = await sessions.begin({ name, role, password_id: null, from, agent })
      audit.note({ kind: 'sign-in', who: name, from, what: 'signed in', outcome: 'done' })
      return opened
    },
    refresh,
    close: audit.close,
  }
}

/** The message is sent to clients. */
export function toClosedProblem(cause: unknown): AppError {
  const message = selectDiskFault(cause)?.reason ?? 'Accounts cannot be read. See the log.'
  return new AppError('not_ready', message, { cause, retryAfterSeconds: 5 })
}

function withEnds(
  accounts: Accounts,
  { sessions, tokens }: Pick<Access, 'sessions' | 'tokens'>,
): Accounts {
  const endSessions = async (given: string) =>
    await sessions.end(({ name }) => name === toAccountName(given))
  const endAll = async (given: string) => {
    await endSessions(given)
    await tokens.end(({ name }) => name === toAccountName(given))
  }
  return {
    ...accounts,
    async add(given, role, password) {
      // The process may have crashed after removing an account of this name, before ending its
      // sessions and tokens.
      const isNew = (await accounts.list()).every(({ name }) => name !== toAccountName(given))
      if (isNew) await endAll(given)
      await accounts.add(given, role, password)
    },
    async setPassword(name, password) {
      const account = await accounts.setPassword(name, password)
      await endSessions(name)
      return account
    },
    async setLocked(name, isLocked) {
      await accounts.setLocked(name, isLocked)
      if (isLocked) await endSessions(name)
    },
    async remove(name) {
      await accounts.remove(name)
      await endAll(name)
    },
  }
}

type CheckDeps = Pick<Access, 'accounts' | 'audit'> & { attempts: Attempts }

const createCheck =
  ({ accounts, audit, attempts }: CheckDeps): Access['check'] =>
  async ({ name: given, password, from }) => {
    const name = toAccountName(given)
    const refuse = (what: string) =>
      audit.note({ kind: 'sign-in', who: name, from, what, outcome: 'refused' })
    const waitSeconds = attempts.waitSeconds(name, from)
    if (waitSeconds > 0) {
      refuse('retried too soon')
      return { ok: false, why: 'slow', waitSeconds }
    }
    const turn = attempts.toTurn(name, from)
    const settle = attempts.begin(name, from)
    const found = await accounts.signIn(name, password, turn).catch((error: unknown) => {
      settle('ignored')
      throw error
    })
    settle(found ? 'right' : 'wrong')
    if (found) return { ok: true, account: found }
    refuse('gave a wrong name or password')
    return { ok: false, why: 'wrong' }
  }

const SECRET_BYTES = 32

const toSecret = (text: string) => Buffer.from(text, 'base64url')
const isSound = (text: string) => toSecret(text).byteLength === SECRET_BYTES

/** A new key ends every session. */
async function loadSecret(records: AccessRecords): Promise<Buffer> {
  const made = randomBytes(SECRET_BYTES).toString('base64url')
  return toSecret(await records.keepSecret(made, isSound))
}
