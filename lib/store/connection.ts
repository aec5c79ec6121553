import { isIP } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import postgres from 'postgres'
import { selectDiskFault } from '#lib/contract/disk-faults.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { DatabaseAddress } from './address.ts'

/** `bigint` is returned as a number. */
export type Database = Pool & {
  /** Returns a function that replaces the current connections; pending queries fail. */
  watch(): () => void
}

type Pool = postgres.Sql<{ int8: number }>

export type Transaction = postgres.TransactionSql<{ int8: number }>

type ConnectOptions = {
  address: DatabaseAddress
  connections?: number
  applicationName?: string
}

const CONNECT_SECONDS = 5
const IDLE_SECONDS = 60
const STATEMENT_MS = 15_000

export function connect(options: ConnectOptions): Database {
  let pool = openPool(options)
  let isEnded = false
  const listening = new Set<{ begin: () => Promise<void>; end: () => Promise<void> }>()

  const watch = () => {
    const watched = pool
    return () => {
      if (pool !== watched || isEnded) return
      pool = openPool(options)
      void watched.end({ timeout: 0 }).catch(() => undefined)
      for (const { begin } of listening) void begin().catch(() => undefined)
    }
  }
  const listen: Pool['listen'] = (channel, onNotice, onListening) => {
    const asked = async () => await pool.listen(channel, onNotice, onListening)
    const heard = asked()
    const one = {
      async begin() {
        const { unlisten } = await asked()
        one.end = unlisten
      },
      end: async () => await (await heard).unlisten(),
    }
    listening.add(one)
    const unlisten = async () => {
      listening.delete(one)
      await one.end()
    }
    return heard.then((meta) => ({ ...meta, unlisten }))
  }
  const end: Pool['end'] = async (how) => {
    isEnded = true
    await pool.end(how)
  }
  const own = { watch, listen, end }
  return new Proxy(pool, {
    apply: (_first, self, given) => Reflect.apply(pool, self, given),
    get: (_first, name) => Reflect.get(name in own ? own : pool, name),
  }) as Database
}

/** `primary`: a standby also claims to be writable. No prepared statements, for poolers. */
function openPool({
  address,
  connections = 4,
  applicationName = 'bellwether',
}: ConnectOptions): Pool {
  const { hosts, name, user, password } = address
  return postgres({
    host: hosts.map(({ host }) => host),
    port: hosts.map(({ port }) => port),
    database: name,
    username: user,
    password: password ?? '',
    ssl: toTls(address),
    max: connections,
    prepare: false,
    connect_timeout: CONNECT_SECONDS,
    idle_timeout: IDLE_SECONDS,
    max_lifetime: null,
    target_session_attrs: hosts.length > 1 ? 'primary' : undefined,
    backoff: () => 1,
    fetch_types: false,
    onnotice: () => {},
    types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: {
      application_name: applicationName,
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: STATEMENT_MS * 4,
    },
  } as unknown as postgres.Options<{ int8: postgres.PostgresType<number> }>) as unknown as Pool
}

/**
 * For an IP address, the driver sends no server name and Node.js would check `localhost`: accepts a
 * certificate for any configured address.
 */
function toTls({ hosts, tls, authority }: DatabaseAddress) {
  if (tls === 'disable') return false
  const numbers = hosts.flatMap(({ host }) => (isIP(host) === 0 ? [] : [host]))
  const isNamed = (name: string) => hosts.some(({ host }) => host === name)
  const check: typeof checkServerIdentity = (name, certificate) => {
    if (isNamed(name) || numbers.length === 0) return checkServerIdentity(name, certificate)
    const problems = numbers.map((number) => checkServerIdentity(number, certificate))
    return problems.includes(undefined) ? undefined : problems[0]
  }
  return {
    rejectUnauthorized: tls === 'verify-full',
    checkServerIdentity: check,
    ...(authority === null ? {} : { ca: authority }),
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'The shared database does not accept the password.',
  '28000': 'The shared database does not admit this user.',
  '3D000': 'The shared database does not exist on its server.',
  '42501': 'The user of the shared database lacks privileges. See docs/nodes.md.',
  '53300': 'The shared database has no free connection.',
  '57P03': 'The shared database is starting.',
}

const AWAY = 'The shared database cannot be reached.'
const UNTRUSTED =
  'The certificate of the shared database is not trusted. Set sslrootcert to its authority.'
const CERTIFICATE = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY/

/** The message contains nothing from the driver. */
export function toStoreError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const disk = isSqlState(code) ? selectDiskFault(cause) : null
  const message = disk?.reason ?? REFUSALS[code] ?? (CERTIFICATE.test(code) ? UNTRUSTED : AWAY)
  return new AppError('not_ready', message, { cause, retryAfterSeconds: 5 })
}

const isSqlState = (code: string) => /^[0-9A-Z]{5}$/.test(code)
const NOT_THERE = /^(?:08|57P0|53300)/

/** Also true while the server starts, stops, or has no connection left. */
export function isAway(cause: unknown): boolean {
  if (cause instanceof AppError) return false
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return !isSqlState(code) || NOT_THERE.test(code)
}

const ANSWER_MS = 20_000

/**
 * The system takes 15 minutes to notice a lost host. On timeout, replaces all connections; the
 * statement may still have run.
 */
export async function inTime<T>(sql: Database, answer: Promise<T>, ms = ANSWER_MS): Promise<T> {
  const replace = sql.watch()
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      replace()
      reject(Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' }))
    }, ms)
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
