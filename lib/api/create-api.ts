import { LRUCache } from 'lru-cache'
import {
  type Answers,
  type Asked,
  type Kind,
  readParts,
  toAddress,
} from '#lib/contract/answers/questions.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import type { ApiDeps, Endpoint, RawEndpoint, Shared } from './endpoint.ts'
import { createSlots } from './export-answer.ts'
import { createPageLoader } from './posts.ts'
import { type Prepared, prepare, sendError, sendFailure, sendNow, sendPrepared } from './respond.ts'

const CACHE_BYTES = 64 * 1024 * 1024
const CACHE_AGE_SECONDS = 60

/** Answers from the archive, never from the service, but for the proxy route of pages. */
export type Api = {
  /** What is asked, as a value that nobody may change. Throws AppError; what nobody foresaw is told to the log. */
  answer<K extends Kind>(endpoint: Endpoint<K>, asked: Asked): Promise<Answers[K]>
  /** The same for a request, as a response; whatever goes wrong has the one shape. */
  respond(endpoint: Endpoint | RawEndpoint, request: Request): Promise<Response>
}

/** The API of a process. It keeps what changes slowly, for pages and requests alike. */
export function createApi(given: ApiDeps): Api {
  const deps: ApiDeps & Shared = {
    ...given,
    takeExportSlot: createSlots(),
    takeQuarantineSlot: createSlots(),
    loadPage: createPageLoader(given),
  }
  const cache = createAnswerCache({
    now: deps.now,
    generation: () => deps.archive.state().generation,
    maxBytes: CACHE_BYTES,
    maxAgeSeconds: CACHE_AGE_SECONDS,
  })
  /** `read` gives what is asked; where the answer is kept it is not needed. */
  const load = <K extends Kind>(endpoint: Endpoint<K>, address: string, read: () => Asked) =>
    cache.answer({ kind: endpoint.kind, address }, async () => await endpoint.answer(deps, read()))

  const respondTo = async (endpoint: Endpoint, request: Request, url: URL) => {
    const read = () => ({ parts: decodeParts(endpoint.kind, url), params: url.searchParams })
    if (!endpoint.isKept) return sendNow(await endpoint.answer(deps, read()))
    const kept = await load(endpoint, url.pathname + url.search, read)
    return sendPrepared(request, kept.toPrepared())
  }
  return {
    async answer(endpoint, asked) {
      const address = toAddress({ kind: endpoint.kind, ...asked })
      try {
        if (!endpoint.isKept) return await endpoint.answer(deps, asked)
        return (await load(endpoint, address, () => asked)).value
      } catch (error) {
        const known = toAppError(error)
        const path = address.split('?')[0] ?? ''
        if (known.fault === 'internal') deps.onError(error, { path, requestId: null })
        throw known
      }
    },
    async respond(endpoint, request) {
      const url = new URL(request.url)
      try {
        const refusal = selectRefusal(endpoint, request.method)
        if (refusal) return withoutBody(request, refusal)
        const response =
          'kind' in endpoint
            ? await respondTo(endpoint, request, url)
            : await endpoint.respond(deps, { request, params: url.searchParams })
        return withoutBody(request, response)
      } catch (error) {
        const requestId = request.headers.get('x-request-id')
        const report = (unknown: unknown) =>
          deps.onError(unknown, { path: url.pathname, requestId })
        return withoutBody(request, sendError(error, report))
      }
    },
  }
}

/** HEAD is GET without the body, decided here once. */
function withoutBody(request: Request, response: Response): Response {
  if (request.method !== 'HEAD') return response
  void response.body?.cancel()
  return new Response(null, { status: response.status, headers: response.headers })
}

function selectRefusal(endpoint: Endpoint | RawEndpoint, asked: string): Response | null {
  const method = 'kind' in endpoint ? 'GET' : endpoint.method
  if (method === null || method === (asked === 'HEAD' ? 'GET' : asked)) return null
  const allow = method === 'GET' ? ['GET', 'HEAD'] : [method]
  return sendFailure(
    new AppError('method_not_allowed', `This address takes ${allow.join(' and ')} only.`),
    { allow: allow.join(', ') },
  )
}

function decodeParts(kind: Kind, { pathname }: URL): Asked['parts'] {
  try {
    return readParts(kind, pathname)
  } catch {
    throw new AppError('bad_request', 'The address holds a broken percent sign.', {
      issues: [{ parameter: 'path', message: 'is not decodable' }],
    })
  }
}

type AnswerCacheOptions = {
  /** Seconds since 1970. */
  now: () => number
  generation: () => number
  maxBytes: number
  /** How long *active* may be judged at the same instant. */
  maxAgeSeconds: number
}

/** An answer for whoever renders it, and as bytes for whoever sends it. It is frozen: all who ask share it. */
type KeptAnswer<K extends Kind = Kind> = {
  value: Answers[K]
  /** Serialised when it is first asked for. */
  toPrepared(): Prepared
}

/** What an answer is kept under: an address has answers of one kind. */
type Key<K extends Kind> = { kind: K; address: string }

type AnswerCache = {
  /** The answer to an address: kept, on its way, or made now. A failure is not kept. */
  answer<K extends Kind>(key: Key<K>, make: () => Promise<Answers[K]>): Promise<KeptAnswer<K>>
}

type Entry<K extends Kind = Kind> = {
  kind: K
  answer: Promise<KeptAnswer<K>>
  generation: number
  madeAt: number
}

/**
 * Answers by address, the least recently used leaving first. Data change only when a sync commits, so an entry is good
 * for its generation; and states change as time goes by, so for no longer than `maxAgeSeconds`.
 */
export function createAnswerCache(options: AnswerCacheOptions): AnswerCache {
  const { now, generation, maxBytes, maxAgeSeconds } = options
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes })

  const isFresh = (entry: Entry) =>
    entry.generation === generation() && now() - entry.madeAt < maxAgeSeconds

  const find = <K extends Kind>({ kind, address }: Key<K>): Entry<K> | null => {
    const entry = entries.get(address)
    return entry && isFresh(entry) && isOf(kind, entry) ? entry : null
  }
  const weigh = (address: string, { answer }: Entry, size: number) => {
    const entry = entries.peek(address)
    // Another may have taken its place, or it has left.
    if (entry?.answer !== answer) return
    // As an object of its own: the same one would keep its old size.
    entries.set(address, { ...entry }, { size: address.length + size })
  }
  const toKept = <K extends Kind>(
    value: Answers[K],
    onPrepared: (prepared: Prepared) => void,
  ): KeptAnswer<K> => {
    let prepared: Prepared | null = null
    return {
      value,
      toPrepared() {
        if (prepared) return prepared
        prepared = prepare(value)
        onPrepared(prepared)
        return prepared
      },
    }
  }
  return {
    answer(key, make) {
      const found = find(key)
      if (found) return found.answer
      const { kind, address } = key
      const answer = make().then((value) =>
        toKept<typeof kind>(value, (prepared) =>
          // The value stays beside its bytes, and what it takes is known better now.
          weigh(address, entry, 2 * prepared.body.byteLength),
        ),
      )
      const entry = { kind, answer, generation: generation(), madeAt: now() }
      entries.set(address, entry, { size: address.length })
      answer.then(
        ({ value }) => weigh(address, entry, freeze(value)),
        () => {
          if (entries.peek(address)?.answer === answer) entries.delete(address)
        },
      )
      return answer
    },
  }
}

const isOf = <K extends Kind>(kind: K, entry: Entry): entry is Entry<K> => entry.kind === kind

/** Freezes a value and all that it holds; gives about how many bytes of JSON it would be. */
function freeze(value: unknown): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 6
  Object.freeze(value)
  if (Array.isArray(value)) return value.reduce((size: number, part) => size + freeze(part), 2)
  return Object.entries(value).reduce(
    (size, [name, part]) => size + name.length + 3 + freeze(part),
    2,
  )
}
