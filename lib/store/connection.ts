import { isIP } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import postgres from 'postgres'
import { AppError } from '#lib/contract/faults.ts'
import type { DatabaseAddress } from './address.ts'

/** A pool of connections to the shared PostgreSQL. Texts are sent as they are; `bigint` comes as a number. */
export type Database = Pool & {
  /**
   * Gives what replaces the connections that are there now by new ones; nothing where that was done meanwhile. What was
   * asked on them fails, what was listened to is listened to again.
   */
  watch(): () => void
}

type Pool = postgres.Sql<{ int8: number }>

/** One transaction of it. */
export type Transaction = postgres.TransactionSql<{ int8: number }>

export type ConnectOptions = {
  address: DatabaseAddress
  /** How many connections at most; default 4. */
  connections?: number
  /** What the database's own list of connections shows. */
  applicationName?: string
}

const CONNECT_SECONDS = 5
const IDLE_SECONDS = 60
/** No statement of ours takes so long but those that carry all ratings, which say so themselves. */
const STATEMENT_MS = 15_000

/** Opens the pool; nothing is asked yet. */
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
      // What cannot be heard now is tried again by the driver.
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

/**
 * Of several hosts, the primary is asked: a standby says of itself that it may be written to. Statements are not
 * prepared, so that a pooler may stand in between.
 */
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
 * What is asked of the certificate. Of a host that is a number the driver tells no name, and Node would hold the certificate
 * against `localhost`: such a certificate has to be of one of the numbers that were named.
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

/** The classes of SQLSTATE that say what is wrong with the address, or with what it may do. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'The shared database does not accept the password.',
  '28000': 'The shared database does not let this user in.',
  '3D000': 'The shared database does not exist on its server.',
  '42501': 'The user of the shared database lacks rights: docs/nodes.md says which it needs.',
  '53100': 'The disk of the shared database is full.',
  '53300': 'The shared database has no connection left.',
  '57P03': 'The shared database is starting.',
  '25006': 'The shared database can only be read at this address.',
}

const AWAY = 'The shared database cannot be reached.'
const UNTRUSTED =
  'The certificate of the shared database is not trusted: sslrootcert names its authority.'
const CERTIFICATE = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY/

/**
 * What went wrong with the database, as an error with a sentence that may be shown: 503. Nothing that the driver said is in
 * its message; the cause is for the log, which hides the password.
 */
export function toStoreError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const message = REFUSALS[code] ?? (CERTIFICATE.test(code) ? UNTRUSTED : AWAY)
  return new AppError('not_ready', message, { cause, retryAfterSeconds: 5 })
}

/** Five letters and digits: the server itself said what is wrong. */
const SQLSTATE = /^[0-9A-Z]{5}$/
/** What it says when it goes, comes, or has no room for another connection. */
const NOT_THERE = /^(?:08|57P0|53300)/

/** Whether what was thrown says that no server answered, and not that one said no. */
export function isAway(cause: unknown): boolean {
  if (cause instanceof AppError) return false
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return !SQLSTATE.test(code) || NOT_THERE.test(code)
}
