import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Access, openAccess } from '#lib/access/access.ts'
import { AccessProblem, toAccountName } from '#lib/access/accounts.ts'
import type { AccessRecords } from '#lib/access/records.ts'
import { isRole } from '#lib/access/route-permissions.ts'
import { PERMISSIONS, type Permission } from '#lib/contract/answers/access.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import type { SharedAccess } from '#lib/server/access/shared-access.ts'
import { DATA_FILES } from '#lib/server/environment/data-folder.ts'

const USAGE = `Accounts, sessions and tokens: in DATA_DIR/access, or in the shared database if DATABASE_URL is set. Changes apply
within two seconds, also while the server runs.

  npm run access -- add NAME [--role reader|operator]   asks for a password, or reads it from a pipe
  npm run access -- password NAME                       sets the password and signs out everywhere
  npm run access -- role NAME reader|operator
  npm run access -- lock NAME                           locks the account and signs out everywhere
  npm run access -- unlock NAME
  npm run access -- remove NAME                         removes the account, its sessions and tokens
  npm run access -- list
  npm run access -- sessions                            lists who is signed in, and where
  npm run access -- end ID|NAME                         ends one session, or all of an account
  npm run access -- tokens
  npm run access -- token NAME LABEL [--may read,export] [--days 90]
                                                        prints the token, once, as the last line
  npm run access -- take-back ID
`

class UsageProblem extends Error {}

type Command = {
  takes: number
  run: (access: Access, args: readonly string[], options: Options) => Promise<string[]>
}
type Options = { role?: string; may?: string; days?: string }

const COMMANDS: Readonly<Record<string, Command>> = {
  add: {
    takes: 1,
    async run({ accounts }, [name = ''], { role = 'reader' }) {
      if (!isRole(role)) throw new UsageProblem('--role takes reader or operator.\n')
      await accounts.add(name, role, await askPassword(name))
      return [`${toAccountName(name)} can sign in as ${role === 'operator' ? 'an' : 'a'} ${role}.`]
    },
  },
  password: {
    takes: 1,
    async run({ accounts }, [name = '']) {
      await accounts.setPassword(name, await askPassword(name))
      return [`${toAccountName(name)} has a new password, and is signed out everywhere.`]
    },
  },
  role: {
    takes: 2,
    async run({ accounts }, [name = '', role = '']) {
      if (!isRole(role)) throw new UsageProblem('A role is reader or operator.\n')
      await accounts.setRole(name, role)
      return [`${toAccountName(name)} is ${role === 'operator' ? 'an' : 'a'} ${role}.`]
    },
  },
  lock: {
    takes: 1,
    async run({ accounts }, [name = '']) {
      await accounts.setLocked(name, true)
      return [`${toAccountName(name)} is locked, and signed out everywhere.`]
    },
  },
  unlock: {
    takes: 1,
    async run({ accounts }, [name = '']) {
      await accounts.setLocked(name, false)
      return [`${toAccountName(name)} can sign in again.`]
    },
  },
  remove: {
    takes: 1,
    async run({ accounts }, [name = '']) {
      await accounts.remove(name)
      return [`${toAccountName(name)} is removed.`]
    },
  },
  list: {
    takes: 0,
    async run({ accounts }) {
      const all = await accounts.list()
      if (all.length === 0) return ['No accounts yet: npm run access -- add NAME --role operator']
      return all.map(({ name, role, created_at, locked_at }) => {
        const locked = locked_at === null ? '' : ` · locked ${toDateText(locked_at)} UTC`
        return `${name} · ${role} · added ${toDateText(created_at)} UTC${locked}`
      })
    },
  },
  sessions: {
    takes: 0,
    run: async ({ sessions }) =>
      sessions.list().map(({ id, name, created_at, used_at, from }) => {
        const last = toDateText(used_at ?? created_at)
        return `${id} · ${name} · since ${toDateText(created_at)} UTC · last ${last} UTC · from ${from}`
      }),
  },
  end: {
    takes: 1,
    async run({ sessions }, [meant = '']) {
      const ended = await sessions.end(
        ({ id, name }) => id === meant || name === toAccountName(meant),
      )
      return [ended === 1 ? '1 session has ended.' : `${ended} sessions have ended.`]
    },
  },
  tokens: {
    takes: 0,
    run: async ({ tokens }) =>
      tokens.list().map(({ id, name, label, scopes, ends_at, used_at }) => {
        const used = used_at === null ? 'never used' : `last used ${toDateText(used_at)} UTC`
        return `${id} · ${label} of ${name} · may ${scopes.join(', ')} · ends ${toDateText(ends_at)} UTC · ${used}`
      }),
  },
  token: {
    takes: 2,
    async run({ accounts, tokens }, [given = '', label = ''], { may = 'read', days = '90' }) {
      const name = toAccountName(given)
      if (!(await accounts.list()).some((one) => one.name === name)) {
        throw new AccessProblem(`There is no account named ${given}.`)
      }
      const token = await tokens.create({ name, label, scopes: toScopes(may), days: Number(days) })
      return [`The token ${label} of ${name}, shown only now:`, token]
    },
  },
  'take-back': {
    takes: 1,
    async run({ tokens }, [id = '']) {
      if ((await tokens.end((one) => one.id === id)) > 0) return ['The token is revoked.']
      throw new AccessProblem(`There is no token ${id}: see npm run access -- tokens.`)
    },
  },
}

const isPermission = (text: string): text is Permission =>
  PERMISSIONS.some((permission) => permission === text)

function toScopes(text: string): Permission[] {
  const named = text.split(',').map((part) => part.trim())
  const wrong = named.find((one) => !isPermission(one))
  if (wrong !== undefined) throw new UsageProblem(`--may takes ${PERMISSIONS.join(', ')}.\n`)
  return named.filter(isPermission)
}

/** Reads the first line if stdin is a pipe. */
async function askPassword(name: string): Promise<string> {
  if (!process.stdin.isTTY) {
    const lines = createInterface({ input: process.stdin })
    const [line] = (await once(lines, 'line')) as [string]
    lines.close()
    return line
  }
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  const ask = async (question: string) => {
    process.stderr.write(question)
    const answer = await terminal.question('')
    process.stderr.write('\n')
    return answer
  }
  try {
    const password = await ask(`Password of ${name}: `)
    if ((await ask('Repeat the password: ')) === password) return password
    throw new AccessProblem('The passwords differ.')
  } finally {
    terminal.close()
  }
}

function readArguments() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: { role: text, may: text, days: text, help: { type: 'boolean', short: 'h' } },
    })
  } catch {
    throw new UsageProblem(USAGE)
  }
}

const OURS_ALONE = 0o077

async function main(): Promise<void> {
  process.umask(OURS_ALONE)
  const { values, positionals } = readArguments()
  const [name, ...args] = positionals
  if (values.help || name === undefined) return print([USAGE.trimEnd()])
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command || args.length !== command.takes) throw new UsageProblem(USAGE)
  const shared = await openShared(process.env.DATABASE_URL?.trim())
  try {
    await run({ ...command, name }, { args, options: values, records: shared?.records })
  } finally {
    await shared?.close()
  }
}

/** Null without a database address. */
async function openShared(url: string | undefined): Promise<SharedAccess | null> {
  if (!url) return null
  const { parseDatabaseUrl } = await import('#lib/store/address.ts')
  const { openSharedAccess } = await import('#lib/server/access/shared-access.ts')
  const parsed = parseDatabaseUrl(url)
  if (!parsed.ok) throw new UsageProblem(`DATABASE_URL ${parsed.problem}.\n`)
  return await openSharedAccess(parsed.address, 'bellwether command line')
}

type CommandInput = {
  args: readonly string[]
  options: Options
  records: AccessRecords | undefined
}

async function run(
  { name, takes, run: change }: Command & { name: string },
  { args, options, records }: CommandInput,
): Promise<void> {
  const access = await openAccess({
    mode: 'password',
    dir: join(process.env.DATA_DIR || './data', DATA_FILES.access),
    now: () => Date.now() / 1000,
    sleep: setTimeout,
    limits: { idle: Number.POSITIVE_INFINITY, absolute: Number.POSITIVE_INFINITY },
    isOperator: () => false,
    onProblem: () => undefined,
    ...(records && { records }),
  })
  try {
    print(await change(access, args, options))
    if (takes > 0) {
      const what = `${name} ${args.join(' ')}`
      access.audit.note({ kind: 'account', who: 'command line', from: '', what, outcome: 'done' })
    }
  } finally {
    await access.close()
  }
}

function print(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`)
}

try {
  await main()
} catch (error) {
  const wrongUse = error instanceof UsageProblem
  const known = wrongUse || error instanceof AccessProblem || error instanceof AppError
  process.stderr.write(known ? `${error.message.trimEnd()}\n` : `${String(error)}\n`)
  process.exitCode = wrongUse ? 2 : 1
}
