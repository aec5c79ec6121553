import { join } from 'node:path'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import { noQuery, postsQuery } from '#lib/contract/other-queries.ts'
import { parseParameters } from '#lib/contract/query-schema.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { toFailureAnswer, toHeadAnswer, toPageAnswer } from './answers.ts'
import { toDumpAnswer } from './dump-answer.ts'
import { createEditions, type Editions } from './editions.ts'
import { openFolder } from './folder.ts'
import { createHousekeeping, type SetTimer } from './housekeeping.ts'
import type { Sleep } from './key-file.ts'
import { createKeys, type Keys } from './keys.ts'
import { createLimits, type Limits } from './limits.ts'
import type { Posts } from './posts.ts'
import { takeRequestKey } from './request-key.ts'
import type { Source } from './source.ts'

/** The ratings service of the specification, as a function of a request. */
export type Service = {
  /** Answers a request for `/api/v1/…`, with or without the base path before it. Never rejects. */
  handle(request: Request): Promise<Response>
  keys: Keys
  /** Begins to make each edition when its Sunday comes, and to let ratings arrive while nobody asks. */
  start(): void
  /** Ends that; requests are still answered. */
  stop(): Promise<void>
  /** Stops and lets go of the files. */
  close(): Promise<void>
}

export type ServiceDeps = {
  /** The folder that everything is kept in; made where it is missing. */
  dir: string
  source: Source
  /** Whole seconds since 1970. */
  now: () => number
  setTimer: SetTimer
  sleep: Sleep
  log?: (line: string) => void
  /** What may stand before `/api/v1`; default `/service`. */
  basePath?: string
}

/**
 * Opens the service's folder, or makes it: the demo community takes seconds per million ratings. Throws SourceMismatch
 * where the folder keeps another community, and what the file system and the engine throw.
 */
export async function createService(deps: ServiceDeps): Promise<Service> {
  const { dir, now, log = () => {} } = deps
  const posts = await openFolder({ dir, source: deps.source, now, log })
  const keys = createKeys({ dir, now, sleep: deps.sleep })
  const limits = await createLimits(dir)
  const editions = createEditions({ dir: join(dir, 'editions'), posts, log })
  const parts: Parts = { posts, keys, limits, editions, now, basePath: deps.basePath ?? '/service' }
  const housekeeping = createHousekeeping({ ...parts, setTimer: deps.setTimer, log })
  return {
    keys,
    async handle(request) {
      try {
        const answered = await answer(parts, request)
        return request.method === 'HEAD' ? await toHeadAnswer(answered) : answered
      } catch (error) {
        const known = toAppError(error)
        if (known.fault === 'internal') log(`a request failed: ${toLogText(error)}`)
        const failed = toFailureAnswer(known)
        return request.method === 'HEAD' ? await toHeadAnswer(failed) : failed
      }
    },
    start: housekeeping.start,
    stop: housekeeping.stop,
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
  if (route === undefined) throw new AppError('not_found', 'There is nothing at this address.')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new AppError('method_not_allowed', 'This address takes GET and HEAD.')
  }
  const at = parts.now()
  const key = await parts.keys.authenticate(takeRequestKey(request, searchParams))
  await parts.limits.charge(key, at)
  const page = route === 'page' ? requirePage(searchParams) : requireNothing(searchParams)
  await parts.posts.catchUp(at)
  if (route === 'page') return toPageAnswer(await parts.posts.page(page, at))
  return toDumpAnswer(request, await parts.editions.ensure(route, at))
}

const withoutBase = (pathname: string, basePath: string) =>
  pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname

function requirePage(params: URLSearchParams): number {
  const parsed = parseParameters(postsQuery, params)
  if (parsed.ok) return parsed.value.page
  throw new AppError('bad_request', 'page is a whole number from 1, given once; nothing else is.', {
    issues: parsed.issues,
  })
}

function requireNothing(params: URLSearchParams): number {
  const parsed = parseParameters(noQuery, params)
  if (parsed.ok) return 1
  throw new AppError('bad_request', 'This address takes no parameter but api_key.', {
    issues: parsed.issues,
  })
}

const toLogText = (error: unknown) => (error instanceof Error ? error.message : 'not an error')
