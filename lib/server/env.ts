import 'server-only'
import { existsSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { ACCESS_MODES, type AccessMode } from '#lib/contract/answers/access.ts'
import { once } from './once.ts'

/** How much a log tells; each tells what those behind it tell too. */
const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Every name that the process reads, in the order of the documentation. A test holds the docs against it. */
export const ENV_NAMES = [
  'PORT',
  'HOST',
  'ALLOWED_HOSTS',
  'PUBLIC_URL',
  'INDEXING',
  'SHARED_CACHE_SECONDS',
  'TRUSTED_PROXIES',
  'ACCESS',
  'ACCESS_OPERATORS',
  'ACCESS_OPERATOR_GROUPS',
  'ACCESS_NAME_HEADER',
  'ACCESS_GROUPS_HEADER',
  'SESSION_IDLE_HOURS',
  'SESSION_HOURS',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_SCOPES',
  'OIDC_NAME_CLAIM',
  'OIDC_GROUPS_CLAIM',
  'DATA_DIR',
  'LOG_LEVEL',
  'RATINGS_BASE_URL',
  'RATINGS_API_KEY',
  'RATINGS_KEY_IN',
  'RATINGS_PER_MINUTE',
  'RATINGS_PER_MONTH',
  'SERVICE_POSTS_CSV',
  'SERVICE_LOOKUPS_CSV',
  'DEMO_RATINGS',
  'DEMO_SEED',
  'DEMO_TAIL_SECONDS',
] as const

export type Env = {
  port: number
  host: string
  /** Lower-case host names, without ports, that requests may name; null where any may. */
  allowedHosts: readonly string[] | null
  /** The origin that readers know the dashboard under; null is whatever they ask for. */
  publicUrl: URL | null
  /** Whether search engines may list the pages; only with `publicUrl`. */
  isIndexed: boolean
  /** How long a cache that many readers share may send a page without asking; 0 is not at all. */
  sharedCacheSeconds: number
  /** Addresses and networks of the proxies whose word is taken for who asks, and how. */
  trustedProxies: readonly string[]
  access: AccessSettings
  dataDir: string
  logLevel: LogLevel
  baseUrl: URL | null
  apiKey: string | null
  keyIn: 'query' | 'header'
  perMinute: number
  perMonth: number | null
  postsCsv: string | null
  lookupsCsv: string | null
  demoRatings: number
  demoSeed: number
  demoTailSeconds: number
}

/** How people are let in. */
export type AccessSettings = {
  mode: AccessMode
  /** Those whom a provider or a proxy names so, or says to be in such a group, are operators. */
  operators: readonly string[]
  operatorGroups: readonly string[]
  /** Request headers in which a proxy says who it is; lower case. */
  nameHeader: string
  groupsHeader: string
  /** Seconds. */
  idle: number
  absolute: number
  /** null but with `oidc`. */
  oidc: OidcSettings | null
}

export type OidcSettings = {
  issuer: URL
  clientId: string
  /** null: a public client. */
  clientSecret: string | null
  scopes: string
  nameClaim: string
  groupsClaim: string
}

type ParsedEnv = { ok: true; env: Env } | { ok: false; problems: string[] }

type Source = Record<string, string | undefined>

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]', '::1']
const HOST_NAME = /^[a-z0-9.:[\]-]+$/i
const KEY = /^[\x21-\x7e]{1,512}$/

const whole = (minimum: number, maximum: number) =>
  z.string().check(
    z.refine((text) => /^\d{1,9}$/.test(text) && +text >= minimum && +text <= maximum, {
      error: `is not a whole number from ${minimum} to ${maximum}`,
    }),
  )

const matching = (pattern: RegExp, error: string) => z.string().check(z.regex(pattern, error))

const address = z.string().check(
  z.refine(isServiceAddress, {
    error: 'is not an http or https address without user, password, query or fragment',
  }),
  z.refine((text) => !isLinkLocal(text), {
    error: 'names an address at which machines in a cloud are told their secrets',
  }),
)

const origin = z.string().check(
  z.refine((text) => isServiceAddress(text) && new URL(text).pathname === '/', {
    error: 'is not an http or https address of nothing but a host name and a port',
  }),
)

const isFile = (path: string) => existsSync(path) && statSync(path).isFile()

const file = z.string().check(z.refine(isFile, { error: 'names no file' }))

const hosts = matching(/^[^\s,]+(?:,[^\s,]+)*$/, 'is not a list of host names with commas')

const list = matching(/^[^,]+(?:,[^,]+)*$/, 'is not a list with commas')
const header = matching(/^[A-Za-z0-9-]{1,64}$/, 'is not the name of a header')
const proxies = z.string().check(
  z.refine((text) => toList(text).every(isNetwork), {
    error: 'is not a list of addresses or networks, such as 10.0.0.0/8, with commas',
  }),
)

const schema = z.object({
  PORT: z._default(whole(1, 65_535), '3000'),
  HOST: z._default(matching(HOST_NAME, 'is not a host name or an address'), '127.0.0.1'),
  ALLOWED_HOSTS: z.optional(hosts),
  PUBLIC_URL: z.optional(origin),
  INDEXING: z._default(z.enum(['off', 'on'], 'is neither off nor on'), 'off'),
  SHARED_CACHE_SECONDS: z._default(whole(0, 3600), '10'),
  TRUSTED_PROXIES: z.optional(proxies),
  ACCESS: z.optional(z.enum(ACCESS_MODES, `is none of ${ACCESS_MODES.join(', ')}`)),
  ACCESS_OPERATORS: z.optional(list),
  ACCESS_OPERATOR_GROUPS: z.optional(list),
  ACCESS_NAME_HEADER: z._default(header, 'Remote-User'),
  ACCESS_GROUPS_HEADER: z._default(header, 'Remote-Groups'),
  SESSION_IDLE_HOURS: z._default(whole(1, 8760), '168'),
  SESSION_HOURS: z._default(whole(1, 8760), '720'),
  OIDC_ISSUER: z.optional(address),
  OIDC_CLIENT_ID: z.optional(z.string()),
  OIDC_CLIENT_SECRET: z.optional(z.string()),
  OIDC_SCOPES: z._default(z.string(), 'openid profile email'),
  OIDC_NAME_CLAIM: z._default(z.string(), 'preferred_username'),
  OIDC_GROUPS_CLAIM: z._default(z.string(), 'groups'),
  DATA_DIR: z._default(z.string(), './data'),
  LOG_LEVEL: z._default(z.enum(LOG_LEVELS, `is none of ${LOG_LEVELS.join(', ')}`), 'info'),
  RATINGS_BASE_URL: z.optional(address),
  RATINGS_API_KEY: z.optional(matching(KEY, 'holds a character that no key has')),
  RATINGS_KEY_IN: z._default(z.enum(['query', 'header'], 'is neither query nor header'), 'query'),
  RATINGS_PER_MINUTE: z._default(whole(1, 1_000_000), '60'),
  RATINGS_PER_MONTH: z.optional(whole(1, 999_999_999)),
  SERVICE_POSTS_CSV: z.optional(file),
  SERVICE_LOOKUPS_CSV: z.optional(file),
  DEMO_RATINGS: z._default(whole(1, 10_000_000), '100000'),
  DEMO_SEED: z._default(whole(0, 999_999_999), '1'),
  DEMO_TAIL_SECONDS: z._default(whole(0, 86_400), '20'),
})

type Names = z.output<typeof schema>

/** Reads the environment once; an empty value counts as unset. Every problem is listed, none with the value. */
export function parseEnv(source: Source): ParsedEnv {
  const set = Object.fromEntries(
    ENV_NAMES.flatMap((name) => {
      const text = source[name]?.trim()
      return text ? [[name, text]] : []
    }),
  )
  const parsed = schema.safeParse(set)
  const problems = [
    ...(parsed.success
      ? []
      : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)),
    ...selectContradictions(set),
  ]
  if (!parsed.success || problems.length > 0) return { ok: false, problems }
  return { ok: true, env: toEnv(parsed.data) }
}

function selectContradictions(set: Record<string, string>): string[] {
  const problems = selectAccessProblems(set)
  const remote = set.RATINGS_BASE_URL !== undefined
  if (remote && set.RATINGS_API_KEY === undefined) {
    problems.push('RATINGS_API_KEY is needed with RATINGS_BASE_URL')
  }
  if (remote && set.SERVICE_POSTS_CSV !== undefined) {
    problems.push('SERVICE_POSTS_CSV is for the embedded service: leave it or RATINGS_BASE_URL out')
  }
  if (set.INDEXING === 'on' && set.PUBLIC_URL === undefined) {
    problems.push(
      'PUBLIC_URL is needed with INDEXING: a search engine lists one address for each page',
    )
  }
  if (set.SERVICE_LOOKUPS_CSV !== undefined && set.SERVICE_POSTS_CSV === undefined) {
    problems.push('SERVICE_LOOKUPS_CSV goes with SERVICE_POSTS_CSV')
  }
  return problems
}

/** Only loopback is for whoever reaches it; anything wider has to say who is let in, even where that is everybody. */
function selectAccessProblems(set: Record<string, string>): string[] {
  const problems: string[] = []
  const host = (set.HOST ?? '127.0.0.1').toLowerCase()
  if (set.ACCESS === undefined && !isLoopback(host)) {
    problems.push(
      'ACCESS is needed where HOST is not this machine alone: password, oidc or proxy, or open for everybody who reaches it',
    )
  }
  if (set.ACCESS === 'oidc') {
    for (const name of ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'PUBLIC_URL']) {
      if (set[name] === undefined) problems.push(`${name} is needed with ACCESS=oidc`)
    }
    problems.push(...selectOidcProblems(set))
  } else if (set.OIDC_ISSUER !== undefined) {
    problems.push('OIDC_ISSUER goes with ACCESS=oidc')
  }
  if (set.ACCESS === 'proxy' && set.TRUSTED_PROXIES === undefined) {
    problems.push(
      'TRUSTED_PROXIES is needed with ACCESS=proxy: whoever else names himself is not believed',
    )
  }
  if (set.INDEXING === 'on' && set.ACCESS !== undefined && set.ACCESS !== 'open') {
    problems.push(
      `INDEXING is for pages that everybody may see: leave it out with ACCESS=${set.ACCESS}`,
    )
  }
  return problems
}

/** Whoever can change what the provider answers comes in as anybody. */
function selectOidcProblems({ OIDC_ISSUER: issuer, OIDC_SCOPES: scopes }: Source): string[] {
  const problems: string[] = []
  if (issuer !== undefined && URL.canParse(issuer)) {
    const { protocol, hostname } = new URL(issuer)
    if (protocol === 'http:' && !isLoopback(hostname)) {
      problems.push('OIDC_ISSUER is plain http: only a provider on this machine may be')
    }
  }
  if (scopes !== undefined && !scopes.split(' ').includes('openid')) {
    problems.push('OIDC_SCOPES does not name openid, without which a provider vouches for nobody')
  }
  return problems
}

const toList = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && +prefix <= (family === 4 ? 32 : 128))
}

const HOUR_SECONDS = 3600

function toAccess(names: Names): AccessSettings {
  const mode = names.ACCESS ?? 'open'
  return {
    mode,
    operators: toList(names.ACCESS_OPERATORS),
    operatorGroups: toList(names.ACCESS_OPERATOR_GROUPS),
    nameHeader: names.ACCESS_NAME_HEADER.toLowerCase(),
    groupsHeader: names.ACCESS_GROUPS_HEADER.toLowerCase(),
    idle: Number(names.SESSION_IDLE_HOURS) * HOUR_SECONDS,
    absolute: Number(names.SESSION_HOURS) * HOUR_SECONDS,
    oidc: mode === 'oidc' ? toOidc(names) : null,
  }
}

const toOidc = (names: Names): OidcSettings | null =>
  names.OIDC_ISSUER && names.OIDC_CLIENT_ID
    ? {
        issuer: new URL(names.OIDC_ISSUER),
        clientId: names.OIDC_CLIENT_ID,
        clientSecret: names.OIDC_CLIENT_SECRET ?? null,
        scopes: names.OIDC_SCOPES,
        nameClaim: names.OIDC_NAME_CLAIM,
        groupsClaim: names.OIDC_GROUPS_CLAIM,
      }
    : null

/** Proxies on this machine, where none is named. */
const NEAR_PROXIES = ['127.0.0.0/8', '::1']

function toEnv(names: Names): Env {
  return {
    port: Number(names.PORT),
    host: names.HOST,
    allowedHosts: toAllowedHosts(names),
    publicUrl: names.PUBLIC_URL ? new URL(names.PUBLIC_URL) : null,
    isIndexed: names.INDEXING === 'on',
    // What is shown to some must not lie where others are served from.
    sharedCacheSeconds:
      (names.ACCESS ?? 'open') === 'open' ? Number(names.SHARED_CACHE_SECONDS) : 0,
    trustedProxies: names.TRUSTED_PROXIES ? toList(names.TRUSTED_PROXIES) : NEAR_PROXIES,
    access: toAccess(names),
    dataDir: resolve(names.DATA_DIR),
    logLevel: names.LOG_LEVEL,
    baseUrl: names.RATINGS_BASE_URL ? new URL(names.RATINGS_BASE_URL) : null,
    apiKey: names.RATINGS_API_KEY ?? null,
    keyIn: names.RATINGS_KEY_IN,
    perMinute: Number(names.RATINGS_PER_MINUTE),
    perMonth: names.RATINGS_PER_MONTH ? Number(names.RATINGS_PER_MONTH) : null,
    postsCsv: names.SERVICE_POSTS_CSV ? resolve(names.SERVICE_POSTS_CSV) : null,
    lookupsCsv: names.SERVICE_LOOKUPS_CSV ? resolve(names.SERVICE_LOOKUPS_CSV) : null,
    demoRatings: Number(names.DEMO_RATINGS),
    demoSeed: Number(names.DEMO_SEED),
    demoTailSeconds: Number(names.DEMO_TAIL_SECONDS),
  }
}

/** On loopback only loopback's names are served, so that a foreign page cannot rebind its name to this process. */
function toAllowedHosts({ HOST, ALLOWED_HOSTS, PUBLIC_URL }: Names): string[] | null {
  const named = ALLOWED_HOSTS?.toLowerCase().split(',') ?? []
  const onLoopback = isLoopback(HOST.toLowerCase())
  if (!onLoopback && named.length === 0) return null
  const known = PUBLIC_URL && URL.canParse(PUBLIC_URL) ? [new URL(PUBLIC_URL).hostname] : []
  return [...LOOPBACK, HOST.toLowerCase(), ...named, ...known]
}

/** All of 127.0.0.0/8 is this machine. */
const isLoopback = (host: string) => LOOPBACK.includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host)

const isLinkLocal = (text: string) =>
  URL.canParse(text) &&
  /^(?:169\.254\.|\[fe[89ab]|\[::ffff:a9fe:|\[fd00:ec2::)/.test(new URL(text).hostname)

/** What is allowed, and should be known to whoever starts the process. */
export function toWarnings({
  baseUrl,
  host,
  access,
}: Pick<Env, 'baseUrl' | 'host' | 'access'>): string[] {
  const warnings: string[] = []
  if (baseUrl?.protocol === 'http:' && !isLoopback(baseUrl.hostname)) {
    warnings.push(
      'RATINGS_BASE_URL is plain http: on the way the key can be read, and every rating changed',
    )
  }
  if (!isLoopback(host.toLowerCase())) {
    warnings.push(
      access.mode === 'open'
        ? 'ACCESS is open: whoever reaches this address may do everything, and spend the key'
        : 'HOST is not this machine alone: where no proxy with a certificate stands in front, passwords and sessions can be read on the way',
    )
  }
  return warnings
}

function isServiceAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return (
    ['http:', 'https:'].includes(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === ''
  )
}

/**
 * The environment of this process, read once: what held at the start holds for its life, even where a file that it
 * names has since gone.
 */
export const processEnv = (): ParsedEnv => once('env', () => parseEnv(process.env))
