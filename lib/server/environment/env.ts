import 'server-only'
import { existsSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import * as z from 'zod/mini'
import { BASE_PATH } from '#lib/contract/base-path.ts'
import type { Proxies } from '#lib/http/proxied-agent.ts'
import { type DatabaseAddress, parseDatabaseUrl } from '#lib/store/address.ts'
import {
  ACCESS_NAMES,
  ACCESS_SCHEMA,
  type AccessSettings,
  selectAccessProblems,
  toAccess,
  toTrustedProxies,
} from './access-env.ts'
import { selectBasePathProblem } from './base-path-rule.mjs'
import { isDataFile } from './data-folder.ts'
import {
  address,
  isLoopback,
  isProxyAddress,
  isServiceAddress,
  LOOPBACK,
  matching,
  toList,
  toProxyAddress,
  whole,
} from './env-values.ts'
import { BAD_KEY, KEY, readKeyFile } from './key-file.ts'
import { singleton } from './singleton.ts'

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const ENV_NAMES = [
  'PORT',
  'HOST',
  'ALLOWED_HOSTS',
  'PUBLIC_URL',
  'BASE_PATH',
  'INDEXING',
  'SHARED_CACHE_SECONDS',
  'HSTS_SECONDS',
  ...ACCESS_NAMES,
  'DATA_DIR',
  'DATABASE_URL',
  'NODE_NAME',
  'BACKUP_FOLDER',
  'BACKUP_EVERY_HOURS',
  'BACKUP_KEEP',
  'PRICES_CSV',
  'BENCHMARK_SYMBOL',
  'SYMBOL_NAMES_CSV',
  'ALERTS_ALLOW_PRIVATE',
  'LOG_LEVEL',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'RATINGS_BASE_URL',
  'RATINGS_API_KEY',
  'RATINGS_API_KEY_FILE',
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
  /** Lower case, no ports; null allows any. */
  allowedHosts: readonly string[] | null
  publicUrl: URL | null
  isIndexed: boolean
  /** 0 disables shared caching. */
  sharedCacheSeconds: number
  trustedProxies: readonly string[]
  access: AccessSettings
  /** 0 disables HSTS. */
  hstsSeconds: number
  dataDir: string
  /** Null on a single node. */
  database: DatabaseAddress | null
  nodeName: string
  backupFolder: string
  /** Null: manual backups only. */
  backupEveryHours: number | null
  backupKeep: number
  pricesCsv: readonly string[]
  /** Null: mean of all symbols. */
  benchmark: string | null
  symbolNamesCsv: string | null
  alertsAllowPrivate: boolean
  logLevel: LogLevel
  proxies: Proxies
  baseUrl: URL | null
  apiKey: string | null
  /** Null if the key is set directly. */
  apiKeyFile: string | null
  keyIn: 'query' | 'header'
  perMinute: number
  perMonth: number | null
  postsCsv: string | null
  lookupsCsv: string | null
  demoRatings: number
  demoSeed: number
  demoTailSeconds: number
}

type ParsedEnv = { ok: true; env: Env } | { ok: false; problems: string[] }

type Source = Record<string, string | undefined>

const HOST_NAME = /^[a-z0-9.:[\]-]+$/i

const origin = z.string().check(
  z.refine((text) => isServiceAddress(text) && new URL(text).pathname === '/', {
    error: 'is not an http or https address with only a host name and a port',
  }),
)

/** Compiled in: the environment may only repeat it. */
const basePath = z.string().check(
  z.refine((text) => selectBasePathProblem(text) === null, {
    error: ({ input }) => selectBasePathProblem(String(input)) ?? '',
  }),
)

const isFile = (path: string) => existsSync(path) && statSync(path).isFile()

const file = z.string().check(z.refine(isFile, { error: 'does not name a file' }))

const proxy = z.string().check(
  z.refine((text) => text === '' || isProxyAddress(text), {
    error: 'is not an http or https address of a proxy',
  }),
)

const hosts = matching(/^[^\s,]+(?:,[^\s,]+)*$/, 'is not a comma-separated list of host names')

const schema = z.object({
  ...ACCESS_SCHEMA,
  PORT: z._default(whole(1, 65_535), '3000'),
  HOST: z._default(matching(HOST_NAME, 'is not a host name or an address'), '127.0.0.1'),
  ALLOWED_HOSTS: z.optional(hosts),
  PUBLIC_URL: z.optional(origin),
  BASE_PATH: z.optional(basePath),
  INDEXING: z._default(z.enum(['off', 'on'], 'is not off or on'), 'off'),
  SHARED_CACHE_SECONDS: z._default(whole(0, 3600), '10'),
  HSTS_SECONDS: z._default(whole(0, 63_072_000), '0'),
  DATA_DIR: z._default(z.string(), './data'),
  DATABASE_URL: z.optional(z.string()),
  NODE_NAME: z.optional(
    matching(/^[\w.:-]{1,64}$/, 'is not a name of letters, digits, and . : _ -'),
  ),
  BACKUP_FOLDER: z.optional(z.string()),
  BACKUP_EVERY_HOURS: z.optional(whole(1, 8760)),
  BACKUP_KEEP: z._default(whole(1, 1000), '7'),
  PRICES_CSV: z.optional(z.string()),
  BENCHMARK_SYMBOL: z.optional(
    matching(/^\S{1,32}$/, 'is not a symbol of up to 32 letters without a space'),
  ),
  SYMBOL_NAMES_CSV: z.optional(z.string()),
  ALERTS_ALLOW_PRIVATE: z._default(z.enum(['off', 'on'], 'is not off or on'), 'off'),
  LOG_LEVEL: z._default(z.enum(LOG_LEVELS, `is not one of ${LOG_LEVELS.join(', ')}`), 'info'),
  HTTP_PROXY: z._default(proxy, ''),
  HTTPS_PROXY: z._default(proxy, ''),
  NO_PROXY: z._default(z.string(), ''),
  RATINGS_BASE_URL: z.optional(address),
  RATINGS_API_KEY: z.optional(matching(KEY, BAD_KEY)),
  RATINGS_API_KEY_FILE: z.optional(z.string()),
  RATINGS_KEY_IN: z._default(z.enum(['query', 'header'], 'is not query or header'), 'query'),
  RATINGS_PER_MINUTE: z._default(whole(1, 1_000_000), '60'),
  RATINGS_PER_MONTH: z.optional(whole(1, 999_999_999)),
  SERVICE_POSTS_CSV: z.optional(file),
  SERVICE_LOOKUPS_CSV: z.optional(file),
  DEMO_RATINGS: z._default(whole(1, 10_000_000), '100000'),
  DEMO_SEED: z._default(whole(0, 999_999_999), '1'),
  DEMO_TAIL_SECONDS: z._default(whole(0, 86_400), '20'),
})

type Names = z.output<typeof schema>

/** As in curl, these names also count in lower case, which goes first. */
const isProxyName = (name: string) => name.endsWith('_PROXY')

/** An empty value counts as unset. Problems never contain the value. */
export function parseEnv(source: Source, builtFor?: string): ParsedEnv {
  const set = Object.fromEntries(
    ENV_NAMES.flatMap((name) => {
      const spellings = isProxyName(name) ? [name.toLowerCase(), name] : [name]
      const texts = spellings.map((spelling) => source[spelling]?.trim() ?? '')
      return texts
        .filter((text) => text !== '')
        .slice(0, 1)
        .map((text) => [name, text])
    }),
  )
  const parsed = schema.safeParse(set)
  const problems = [
    ...(parsed.success
      ? []
      : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)),
    ...selectRemoved(source),
    ...selectContradictions(set),
    ...selectBuildProblems(set, builtFor),
  ]
  const database = set.DATABASE_URL ? parseDatabaseUrl(set.DATABASE_URL) : null
  if (database && !database.ok) problems.push(`DATABASE_URL ${database.problem}`)
  const contents = set.RATINGS_API_KEY_FILE ? readKeyFile(set.RATINGS_API_KEY_FILE) : null
  if (contents && !contents.ok) problems.push(`RATINGS_API_KEY_FILE ${contents.problem}`)
  if (!parsed.success || problems.length > 0) return { ok: false, problems }
  const files = {
    key: contents?.ok ? contents.key : null,
    database: database?.ok ? database.address : null,
  }
  return { ok: true, env: toEnv(parsed.data, files) }
}

function selectBuildProblems({ BASE_PATH: asked = '' }: Record<string, string>, builtFor = asked) {
  if (asked === builtFor) return []
  const built = builtFor === '' ? 'none' : builtFor
  return [
    `BASE_PATH differs from the path of this build (${built}). Build again: with npm start, or for an image with --build-arg BASE_PATH`,
  ]
}

/** Ignoring the setting would silently drop the rules of the file. */
const selectRemoved = ({ ALERTS_FILE: file = '' }: Source): string[] =>
  file.trim() === ''
    ? []
    : [
        'ALERTS_FILE is no longer read: alert rules are kept under Status → Alerts and in /api/alerts. Import the file once with npm run archive -- import-alerts FILE, then remove the setting',
      ]

function selectContradictions(set: Record<string, string>): string[] {
  const problems = [...selectAccessProblems(set), ...selectFolderProblems(set)]
  const remote = set.RATINGS_BASE_URL !== undefined
  problems.push(...selectKeyContradictions(set))
  if (remote && set.SERVICE_POSTS_CSV !== undefined) {
    problems.push('SERVICE_POSTS_CSV is for the embedded service: remove it or RATINGS_BASE_URL')
  }
  if (set.INDEXING === 'on' && set.PUBLIC_URL === undefined) {
    problems.push('PUBLIC_URL is required with INDEXING')
  }
  if (set.DATABASE_URL !== undefined && !remote) {
    problems.push(
      'RATINGS_BASE_URL is required with DATABASE_URL: nodes cannot share an embedded service',
    )
  }
  if (set.SERVICE_LOOKUPS_CSV !== undefined && set.SERVICE_POSTS_CSV === undefined) {
    problems.push('SERVICE_LOOKUPS_CSV requires SERVICE_POSTS_CSV')
  }
  return problems
}

function selectKeyContradictions(set: Record<string, string>): string[] {
  const { RATINGS_BASE_URL: remote, RATINGS_API_KEY: key, RATINGS_API_KEY_FILE: file } = set
  if (key !== undefined && file !== undefined) {
    return ['RATINGS_API_KEY_FILE and RATINGS_API_KEY are both set: remove one']
  }
  if (remote !== undefined && key === undefined && file === undefined) {
    return ['RATINGS_API_KEY or RATINGS_API_KEY_FILE is required with RATINGS_BASE_URL']
  }
  if (remote === undefined && file !== undefined) {
    return ['RATINGS_API_KEY_FILE requires RATINGS_BASE_URL, which is unset']
  }
  return []
}

type FileSettings = { key: string | null; database: DatabaseAddress | null }

function toEnv(names: Names, settings: FileSettings): Env {
  return {
    port: Number(names.PORT),
    host: names.HOST,
    allowedHosts: toAllowedHosts(names),
    publicUrl: names.PUBLIC_URL ? new URL(names.PUBLIC_URL) : null,
    isIndexed: names.INDEXING === 'on',
    // Shared caches would leak restricted pages.
    sharedCacheSeconds:
      (names.ACCESS ?? 'open') === 'open' ? Number(names.SHARED_CACHE_SECONDS) : 0,
    trustedProxies: toTrustedProxies(names),
    access: toAccess(names),
    hstsSeconds: Number(names.HSTS_SECONDS),
    dataDir: resolve(names.DATA_DIR),
    database: settings.database,
    nodeName: names.NODE_NAME ?? `${hostname()}:${names.PORT}`,
    backupFolder: toBackupFolder(names),
    backupEveryHours: names.BACKUP_EVERY_HOURS ? Number(names.BACKUP_EVERY_HOURS) : null,
    backupKeep: Number(names.BACKUP_KEEP),
    pricesCsv: toList(names.PRICES_CSV).map((path) => resolve(path)),
    benchmark: names.BENCHMARK_SYMBOL ?? null,
    symbolNamesCsv: names.SYMBOL_NAMES_CSV ? resolve(names.SYMBOL_NAMES_CSV) : null,
    alertsAllowPrivate: names.ALERTS_ALLOW_PRIVATE === 'on',
    logLevel: names.LOG_LEVEL,
    proxies: {
      httpProxy: toProxyAddress(names.HTTP_PROXY),
      httpsProxy: toProxyAddress(names.HTTPS_PROXY),
      noProxy: names.NO_PROXY,
    },
    baseUrl: names.RATINGS_BASE_URL ? new URL(names.RATINGS_BASE_URL) : null,
    apiKey: names.RATINGS_API_KEY ?? settings.key,
    apiKeyFile: names.RATINGS_API_KEY_FILE ? resolve(names.RATINGS_API_KEY_FILE) : null,
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

export const toBackupFolder = (set: { DATA_DIR?: string; BACKUP_FOLDER?: string }): string =>
  resolve(set.BACKUP_FOLDER ?? join(set.DATA_DIR ?? './data', 'backups'))

function selectFolderProblems({ DATA_DIR = './data', BACKUP_FOLDER }: Source): string[] {
  if (BACKUP_FOLDER === undefined) return []
  const path = relative(resolve(DATA_DIR), resolve(BACKUP_FOLDER))
  const first = path.split(sep)[0] ?? ''
  return path === '' || isDataFile(first)
    ? ['BACKUP_FOLDER is inside a folder that is backed up: choose a different one']
    : []
}

/** Loopback names only, against DNS rebinding. */
function toAllowedHosts({ HOST, ALLOWED_HOSTS, PUBLIC_URL }: Names): string[] | null {
  const named = ALLOWED_HOSTS?.toLowerCase().split(',') ?? []
  const onLoopback = isLoopback(HOST.toLowerCase())
  if (!onLoopback && named.length === 0) return null
  const known = PUBLIC_URL && URL.canParse(PUBLIC_URL) ? [new URL(PUBLIC_URL).hostname] : []
  return [...LOOPBACK, HOST.toLowerCase(), ...named, ...known]
}

export const selectProxyPasswords = ({ httpProxy, httpsProxy }: Proxies): string[] =>
  [httpProxy, httpsProxy].flatMap((text) => {
    const password = text === '' ? '' : decodeURIComponent(new URL(text).password)
    return password === '' ? [] : [password]
  })

export function toWarnings({
  baseUrl,
  host,
  access,
}: Pick<Env, 'baseUrl' | 'host' | 'access'>): string[] {
  const warnings: string[] = []
  if (baseUrl?.protocol === 'http:' && !isLoopback(baseUrl.hostname)) {
    warnings.push(
      'RATINGS_BASE_URL is plain http: the key and ratings are not protected in transit',
    )
  }
  if (!isLoopback(host.toLowerCase())) {
    warnings.push(
      access.mode === 'open'
        ? 'ACCESS is open: anyone who can reach this address can do everything, including use up the key'
        : 'HOST is reachable from other machines: without a TLS proxy in front, passwords and sessions can be read in transit',
    )
  }
  return warnings
}

export const processEnv = (): ParsedEnv => singleton('env', () => parseEnv(process.env, BASE_PATH))
