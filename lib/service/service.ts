import { copyFile, mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { toFailure } from '#lib/contract/answers/envelope.ts'
import { noQuery, postsQuery } from '#lib/contract/api-queries.ts'
import { AppError, isUnforeseen, toAppError } from '#lib/contract/faults.ts'
import { parseParameters } from '#lib/contract/query-schema.ts'
import { type DumpKind, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { loadJsonFile, replaceFile, type Sleep } from '#lib/files/json-file.ts'
import { readBearer } from '#lib/http/bearer.ts'
import { toClientNetwork } from '#lib/http/ip-address.ts'
import { importCsv, openCsvPosts } from './csv-posts.ts'
import { makeDemo, openDemo } from './demo-posts.ts'
import { createEditions, type Editions, ensureEditions } from './dump-files.ts'
import { toDumpAnswer } from './dump-response.ts'
import { createKeys, createLimits, type Keys, type Limits } from './keys.ts'
import {
  type Database,
  type InventedPrices,
  openDatabase,
  type PostRow,
  type Posts,
} from './posts.ts'
import {
  type KeptImport,
  type KeptSource,
  keptImport,
  keptSource,
  requireSameSource,
  type Source,
  toKeptSource,
} from './source.ts'

export type Service = {
  /** Never rejects. */
  handle(request: Request): Promise<Response>
  keys: Keys
  /** Null unless the community is a demo. */
  invented: InventedPrices | null
  /** Null unless imported from a file. */
  imported: KeptImport | null
  start(): void
  stop(): Promise<void>
  freeze: Posts['freeze']
  close(): Promise<void>
}

export type ServiceDeps = {
  dir: string
  source: Source
  /** Seconds since 1970. */
  now: () => number
  setTimer: SetTimer
  sleep: Sleep
  log?: (line: string) => void
  /** Default `/service`. */
  basePath?: string
  /** Rate limit key for invalid API keys; by default all clients share one. */
  clientOf?: (request: Request) => string
}

/** Throws SourceMismatch if the folder holds a different community. */
export async function createService(deps: ServiceDeps): Promise<Service> {
  const { dir, now, log = () => {} } = deps
  const posts = await openFolder({ dir, source: deps.source, now, log })
  const keys = createKeys({ dir, now, sleep: deps.sleep })
  const limits = await createLimits(dir)
  const editions = createEditions({ dir: join(dir, 'editions'), posts, log })
  const { basePath = '/service', clientOf = () => '' } = deps
  const wrongKeys = createWrongKeys()
  const parts: Parts = { posts, keys, limits, editions, now, basePath, clientOf, wrongKeys }
  const housekeeping = createHousekeeping({ ...parts, setTimer: deps.setTimer, log })
  return {
    keys,
    invented: posts.invented ?? null,
    imported: await loadJsonFile(importFile(dir), keptImport),
    async handle(request) {
      try {
        const answered = await answer(parts, request)
        return request.method === 'HEAD' ? await toHeadAnswer(answered) : answered
      } catch (error) {
        if (isUnforeseen(error)) log(`a request failed: ${toLogText(error)}`)
        const failed = toFailureAnswer(toAppError(error))
        return request.method === 'HEAD' ? await toHeadAnswer(failed) : failed
      }
    },
    start: housekeeping.start,
    stop: housekeeping.stop,
    freeze: posts.freeze,
    async close() {
      await housekeeping.stop()
      posts.close()
    },
  }
}

type Parts = {
  posts: Posts
  keys: Keys
  limits: Limits
  editions: Editions
  now: () => number
  basePath: string
  clientOf: (request: Request) => string
  wrongKeys: WrongKeys
}

type Route = 'page' | DumpKind

const ROUTES: ReadonlyMap<string, Route> = new Map([
  ['/api/v1/posts', 'page'],
  ['/api/v1/posts/dumps', 'posts'],
  ['/api/v1/lookups/dumps', 'lookups'],
])

async function answer(parts: Parts, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const route = ROUTES.get(withoutBase(pathname, parts.basePath))
  if (route === undefined) throw new AppError('not_found', 'No such address.')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new AppError('method_not_allowed', 'This address allows only GET and HEAD.')
  }
  const at = parts.now()
  const key = await authenticate(parts, request, takeRequestKey(request, searchParams))
  await parts.limits.charge(key, at)
  const page = route === 'page' ? requirePage(searchParams) : requireNothing(searchParams)
  await parts.posts.catchUp(at)
  if (route === 'page') return toPageAnswer(await parts.posts.page(page, at))
  return toDumpAnswer(request, await parts.editions.ensure(route, at))
}

async function authenticate(
  { keys, wrongKeys, clientOf, now }: Parts,
  request: Request,
  key: string | null,
) {
  try {
    return await keys.authenticate(key)
  } catch (error) {
    const isWrong = key && error instanceof AppError && error.fault === 'unauthorized'
    if (isWrong) wrongKeys.note(clientOf(request), now())
    throw error
  }
}

const withoutBase = (pathname: string, basePath: string) =>
  pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname

function requirePage(params: URLSearchParams): number {
  const parsed = parseParameters(postsQuery, params)
  if (parsed.ok) return parsed.value.page
  throw new AppError('bad_request', 'page must be a whole number from 1, given once.', {
    issues: parsed.issues,
  })
}

function requireNothing(params: URLSearchParams): number {
  const parsed = parseParameters(noQuery, params)
  if (parsed.ok) return 1
  throw new AppError('bad_request', 'This address has no parameter except api_key.', {
    issues: parsed.issues,
  })
}

const toLogText = (error: unknown) => (error instanceof Error ? error.message : 'not an error')

const HEADERS = { 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' }

const toPageAnswer = (data: readonly PostRow[]): Response =>
  toJson({ success: true, code: 200, data }, 200, {})

export function toFailureAnswer(error: AppError): Response {
  const headers: Record<string, string> = {}
  if (error.retryAfterSeconds !== undefined)
    headers['Retry-After'] = String(error.retryAfterSeconds)
  if (error.fault === 'unauthorized') headers['WWW-Authenticate'] = 'Bearer'
  if (error.fault === 'method_not_allowed') headers.Allow = 'GET, HEAD'
  const { success, code, data, error: detail } = toFailure(error)
  const body = { success, code, data, message: error.message, error: detail }
  return toJson(body, error.status, headers)
}

function toJson(body: object, status: number, headers: Record<string, string>): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  return new Response(bytes, {
    status,
    headers: { ...HEADERS, 'Content-Length': String(bytes.length), ...headers },
  })
}

async function toHeadAnswer(answer: Response): Promise<Response> {
  await answer.body?.cancel()
  return new Response(null, { status: answer.status, headers: answer.headers })
}

/** Deletes `api_key` from `params`. Throws AppError('bad_request') if several keys are given. */
function takeRequestKey(request: Request, params: URLSearchParams): string | null {
  const given = params.getAll('api_key')
  params.delete('api_key')
  const bearer = readBearer(request.headers.get('authorization'))
  if (bearer !== undefined) given.push(bearer)
  if (given.length > 1) {
    throw new AppError('bad_request', 'The API key is given more than once.', {
      issues: [{ parameter: 'api_key', message: 'is given twice' }],
    })
  }
  return given[0] ?? null
}

type SetTimer = (run: () => void, delayMs: number) => () => void

/** Polls, because timers fire late after the machine sleeps. */
const LOOK_SECONDS = 60

type HousekeepingDeps = {
  posts: Posts
  editions: Editions
  now: () => number
  setTimer: SetTimer
  log: (line: string) => void
}

type Housekeeping = { start(): void; stop(): Promise<void> }

function createHousekeeping(deps: HousekeepingDeps): Housekeeping {
  const { posts, editions, now, setTimer, log } = deps
  let callOff: (() => void) | null = null
  let round: Promise<void> = Promise.resolve()
  let on = false

  async function look(): Promise<void> {
    try {
      const at = now()
      await posts.catchUp(at)
      await ensureEditions(editions, at)
    } catch (error) {
      log(`housekeeping failed: ${error instanceof Error ? error.message : 'not an error'}`)
    }
    if (!on) return
    const waitSeconds = Math.max(1, Math.min(LOOK_SECONDS, nextEditionAt(now()) - now()))
    callOff = setTimer(begin, waitSeconds * 1000)
  }

  function begin(): void {
    callOff = null
    round = look()
  }

  return {
    start() {
      if (on) return
      on = true
      begin()
    },
    async stop() {
      on = false
      callOff?.()
      callOff = null
      await round
    },
  }
}

type FolderDeps = {
  dir: string
  source: Source
  now: () => number
  log: (line: string) => void
}

/** `source.json` is written last, so that an interrupted setup starts over. */
async function openFolder(deps: FolderDeps): Promise<Posts> {
  const { dir, source } = deps
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const kept = await loadJsonFile(join(dir, 'source.json'), keptSource)
  if (kept) await requireSameSource(kept, source)
  else await removeRemains(dir)
  const database = await openDatabase(join(dir, 'posts.duckdb'))
  try {
    return await openPosts(database, kept ?? (await makeFolder(database, deps)), deps)
  } catch (error) {
    database.close()
    throw error
  }
}

const importFile = (dir: string) => join(dir, 'import.json')
const lookupsCopy = (dir: string) => join(dir, 'lookups.csv')

async function removeRemains(dir: string): Promise<void> {
  for (const name of [
    'posts.duckdb',
    'posts.duckdb.wal',
    'lookups.csv',
    'import.json',
    'editions',
  ]) {
    await rm(join(/* turbopackIgnore: true */ dir, name), { force: true, recursive: true })
  }
}

async function makeFolder(database: Database, deps: FolderDeps): Promise<KeptSource> {
  const { dir, source, log } = deps
  const kept = await toKeptSource(source, deps.now())
  if (kept.kind === 'demo') {
    await makeDemo(database, { seed: kept.seed, ratings: kept.ratings, end: kept.made_at })
    log(`demo community made: ${kept.ratings} ratings`)
  } else {
    const report = await importCsv(database, kept.posts.path)
    const { ratings, doubled, rejects } = report
    log(
      `posts CSV imported: ${ratings} ratings, ${rejects.total} lines left out, ${doubled} double ids`,
    )
    for (const { reason, rows } of rejects.reasons)
      log(`posts CSV: ${rows} lines left out: ${reason}`)
    const imported: KeptImport = {
      file: basename(kept.posts.path),
      read_at: kept.made_at,
      ...report,
    }
    await replaceFile(importFile(dir), JSON.stringify(imported))
    if (kept.lookups) await copyFile(kept.lookups.path, lookupsCopy(dir))
  }
  await replaceFile(join(dir, 'source.json'), `${JSON.stringify(kept, null, 2)}\n`)
  return kept
}

async function openPosts(database: Database, kept: KeptSource, deps: FolderDeps): Promise<Posts> {
  if (kept.kind === 'csv') {
    return await openCsvPosts(database, kept.lookups ? lookupsCopy(deps.dir) : null)
  }
  const tailSeconds = deps.source.kind === 'demo' ? deps.source.tailSeconds : 0
  const history = { seed: kept.seed, ratings: kept.ratings, end: kept.made_at }
  return await openDemo(database, { history, tailSeconds, log: deps.log })
}

/** Invalid keys per minute and client network; valid keys are never limited. */
const TRIES = 10
const MINUTE_SECONDS = 60
const CLIENTS_MAX = 10_000

type WrongKeys = {
  /** Throws AppError('rate_limited'); rejected attempts are not counted. */
  note(address: string, at: number): void
}

function createWrongKeys(): WrongKeys {
  const tried = new LRUCache<string, number[]>({ max: CLIENTS_MAX })
  return {
    note(address, at) {
      const client = toClientNetwork(address)
      // Also drops instants in the future, after a clock was set back.
      const isRecent = (instant: number) => instant > at - MINUTE_SECONDS && instant <= at
      const recent = (tried.get(client) ?? []).filter(isRecent)
      const [oldest = at] = recent
      if (recent.length >= TRIES) {
        throw new AppError('rate_limited', `Too many wrong keys: ${TRIES} in a minute.`, {
          retryAfterSeconds: Math.max(1, oldest + MINUTE_SECONDS - at),
        })
      }
      tried.set(client, [...recent, at])
    },
  }
}
