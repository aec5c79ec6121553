import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { AppError } from '#lib/contract/faults.ts'

/** A pool of connections to the shared PostgreSQL. Texts are sent as they are; `bigint` comes as a number. */
export type Database = postgres.Sql<{ int8: number }>

/** One transaction of it. */
export type Transaction = postgres.TransactionSql<{ int8: number }>

/** Where the shared PostgreSQL is. Nothing of it but `name` and `hosts` may be shown: the password is in it. */
export type DatabaseAddress = {
  hosts: readonly { host: string; port: number }[]
  name: string
  user: string
  password: string | null
  tls: TlsMode
  /** PEM of the authorities that are trusted beside those of the system's; null is none. */
  authority: string | null
}

/** As libpq names them. `require` encrypts and believes every certificate. */
type TlsMode = 'disable' | 'require' | 'verify-full'

const TLS_MODES: readonly string[] = ['disable', 'require', 'verify-full']
const PORT = 5432
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/** Why an address is none, in words that stand behind the name of the setting and never repeat it. */
export type ParsedAddress = { ok: true; address: DatabaseAddress } | { ok: false; problem: string }

const FORM = /^postgres(?:ql)?:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/
const HOST = /^(\[[0-9a-f:]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/i
const PARAMETERS: readonly string[] = ['sslmode', 'sslrootcert']

/**
 * Reads `postgres://user:password@host,host:port/database?sslmode=…&sslrootcert=…`. Without `sslmode`, certificates of
 * hosts that are not this machine are checked. `readText` reads the file of the authority.
 */
export function parseDatabaseUrl(
  url: string,
  readText: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): ParsedAddress {
  const [, authorityPart, name = '', query = ''] = FORM.exec(url) ?? []
  if (authorityPart === undefined)
    return refuse('is not an address such as postgres://user:password@host/database')
  const at = authorityPart.lastIndexOf('@')
  const credentials = at < 0 ? '' : authorityPart.slice(0, at)
  const hosts = authorityPart
    .slice(at + 1)
    .split(',')
    .map(parseHost)
  if (hosts.some((host) => host === null)) return refuse('names a host that is none')
  const [user, ...rest] = credentials.split(':')
  const texts = [user ?? '', rest.join(':'), name].map(decode)
  if (texts.some((text) => text === null))
    return refuse('holds a percent sign that stands for nothing')
  const [userText = '', password = '', nameText = ''] = texts.map((text) => text ?? '')
  if (userText === '') return refuse('names no user')
  if (nameText === '') return refuse('names no database')
  const known = hosts.flatMap((host) => host ?? [])
  const tls = parseTls(query, known, readText)
  if (!tls.ok) return tls
  const address = { hosts: known, name: nameText, user: userText, password: password || null }
  return { ok: true, address: { ...address, tls: tls.mode, authority: tls.authority } }
}

const refuse = (problem: string) => ({ ok: false as const, problem })

function parseHost(text: string): { host: string; port: number } | null {
  const [, host, port] = HOST.exec(text) ?? []
  if (host === undefined || Number(port ?? PORT) > 65_535) return null
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? PORT) }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

type Hosts = DatabaseAddress['hosts']

function parseTls(query: string, hosts: Hosts, readText: (path: string) => string) {
  const parameters = new URLSearchParams(query)
  const unknown = [...parameters.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined)
    return refuse(`has a parameter that is not known; there are ${PARAMETERS.join(', ')}`)
  const isHere = hosts.every(({ host }) => LOOPBACK.has(host))
  const mode = parameters.get('sslmode') ?? (isHere ? 'disable' : 'verify-full')
  if (!TLS_MODES.includes(mode))
    return refuse(`has an sslmode that is none of ${TLS_MODES.join(', ')}`)
  const file = parameters.get('sslrootcert')
  try {
    const authority = file === null ? null : readText(file)
    return { ok: true as const, mode: mode as TlsMode, authority }
  } catch {
    return refuse('names an sslrootcert that cannot be read')
  }
}

/** For people: who is asked, without user and password. */
export const toPlainAddress = ({ hosts, name }: Pick<DatabaseAddress, 'hosts' | 'name'>): string =>
  `${hosts.map(({ host, port }) => `${host}:${port}`).join(', ')}, database ${name}`

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

/**
 * Opens the pool; nothing is asked yet. Of several hosts, the one that can be written to is asked. Statements are not
 * prepared, so that a pooler may stand in between.
 */
export function connect({
  address,
  connections = 4,
  applicationName = 'bellwether',
}: ConnectOptions): Database {
  const { hosts, name, user, password, tls, authority } = address
  return postgres({
    host: hosts.map(({ host }) => host),
    port: hosts.map(({ port }) => port),
    database: name,
    username: user,
    password: password ?? '',
    ssl: toTls(tls, authority),
    max: connections,
    prepare: false,
    connect_timeout: CONNECT_SECONDS,
    idle_timeout: IDLE_SECONDS,
    max_lifetime: null,
    target_session_attrs: hosts.length > 1 ? 'read-write' : undefined,
    backoff: () => 1,
    fetch_types: false,
    onnotice: () => {},
    types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: {
      application_name: applicationName,
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: STATEMENT_MS * 4,
    },
  } as unknown as postgres.Options<{ int8: postgres.PostgresType<number> }>) as unknown as Database
}

const toTls = (mode: TlsMode, authority: string | null) => {
  if (mode === 'disable') return false
  const trusted = authority === null ? {} : { ca: authority }
  return { rejectUnauthorized: mode === 'verify-full', ...trusted }
}

/** Of a snapshot that stays as it is however long it is read. */
export const SNAPSHOT = 'isolation level repeatable read read only'

/**
 * Runs `work` in one transaction: all of it is there, or nothing. Throws what `work` and the driver throw; where the connection
 * is lost at the end, whether it was committed is not known. To be used in place of the driver's own `begin`, which writes a
 * rollback to a connection that is gone, and throws then where nobody can catch it: the process would end.
 */
export async function transact<T>(
  sql: Database,
  work: (transaction: Transaction) => Promise<T>,
  mode = '',
): Promise<T> {
  const reserved = await sql.reserve()
  let isLost = false
  try {
    await reserved.unsafe(`begin ${mode}`)
    const result = await work(reserved as unknown as Transaction)
    await reserved`commit`
    return result
  } catch (error) {
    isLost = isConnectionLost(error)
    if (!isLost) {
      await reserved`rollback`.catch(() => {
        isLost = true
      })
    }
    throw error
  } finally {
    // The driver takes one that is gone back by itself.
    if (!isLost) reserved.release()
  }
}

const LOST = /^(?:CONNECTION_|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_STREAM_PREMATURE)/

/** Whether an error says that its connection is gone, or just about to be. */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', severity = '' } = error as { code?: unknown; severity?: unknown }
  return (
    LOST.test(String(code)) ||
    /^(?:FATAL|PANIC)$/.test(String(severity)) ||
    isConnectionLost(error.cause)
  )
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
