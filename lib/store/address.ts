import { readFileSync } from 'node:fs'
import { decodeEscapes } from '#lib/contract/path-part.ts'

/** Contains the password: only `name` and `hosts` may be shown. */
export type DatabaseAddress = {
  hosts: readonly { host: string; port: number }[]
  name: string
  user: string
  password: string | null
  tls: TlsMode
  /** PEM, added to the system's. */
  authority: string | null
}

/** libpq names. `require` encrypts without verifying the certificate. */
type TlsMode = 'disable' | 'require' | 'verify-full'

const TLS_MODES: readonly string[] = ['disable', 'require', 'verify-full']
const PORT = 5432
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/** `problem` never repeats the value. */
type ParsedAddress = { ok: true; address: DatabaseAddress } | { ok: false; problem: string }

const FORM = /^postgres(?:ql)?:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/
const HOST = /^(\[[0-9a-f:]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/i
const PARAMETERS: readonly string[] = ['sslmode', 'sslrootcert']

/** Verifies certificates of remote hosts by default. */
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
  if (hosts.some((host) => host === null)) return refuse('has an invalid host')
  const [user, ...rest] = credentials.split(':')
  const texts = [user ?? '', rest.join(':'), name].map(decodeEscapes)
  if (texts.some((text) => text === null)) return refuse('has an invalid percent encoding')
  const [userText = '', password = '', nameText = ''] = texts.map((text) => text ?? '')
  if (userText === '') return refuse('has no user')
  if (nameText === '') return refuse('has no database')
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

type Hosts = DatabaseAddress['hosts']

function parseTls(query: string, hosts: Hosts, readText: (path: string) => string) {
  const parameters = new URLSearchParams(query)
  const unknown = [...parameters.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined)
    return refuse(`has an unknown parameter; known are ${PARAMETERS.join(', ')}`)
  const isHere = hosts.every(({ host }) => LOOPBACK.has(host))
  const mode = parameters.get('sslmode') ?? (isHere ? 'disable' : 'verify-full')
  if (!TLS_MODES.includes(mode))
    return refuse(`has an sslmode that is not one of ${TLS_MODES.join(', ')}`)
  const file = parameters.get('sslrootcert')
  try {
    const authority = file === null ? null : readText(file)
    return { ok: true as const, mode: mode as TlsMode, authority }
  } catch {
    return refuse('names an sslrootcert that cannot be read')
  }
}

export const toPlainAddress = ({ hosts, name }: Pick<DatabaseAddress, 'hosts' | 'name'>): string =>
  `${hosts.map(({ host, port }) => `${host}:${port}`).join(', ')}, database ${name}`
