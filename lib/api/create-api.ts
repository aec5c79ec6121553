import { LRUCache } from 'lru-cache'
import {
  type Answers,
  type Asked,
  type Kind,
  readParts,
  toAddress,
} from '#lib/contract/answers/questions.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import { createInFlight } from '#lib/contract/in-flight.ts'
import { toClientNetwork } from '#lib/contract/ip-address.ts'
import { type ApiDeps, type Endpoint, MAY, type RawEndpoint, type Shared } from './endpoint.ts'
import { createSlots } from './export-answer.ts'
import { createPageLoader } from './posts.ts'
import { type Prepared, prepare, sendError, sendFailure, sendNow, sendPrepared } from './respond.ts'
import { createTurns } from './turns.ts'

/** As JSON; the values that pages are made from take some five times as much. */
const CACHE_BYTES = 16 * 1024 * 1024
const CACHE_AGE_SECONDS = 60

/** Whose turn a question takes, for how long an answer is waited for, and what whoever asks may do. */
export type Asker = { client: string; signal?: AbortSignal; may?: string | undefined }

/** The request header that says who asks; nobody outside can set it. */
export const CLIENT = 'x-client'

/** The network of the client, which shares are counted by. */
export const readClient = (headers: Headers): string => toClientNetwork(headers.get(CLIENT) ?? '')

/** As many as the archive has connections for reading: more would wait there, whoever they are of. */
const TURNS = { atOnce: 3, dearAtOnce: 2, waitingAtMost: 512, waitingAtMostOfOne: 256 }

/** Commits that come this often while an answer is made are a sync that fills the archive. */
const TRIES = 3

/** Those that look at a row or a page of rows; the others count. */
const CHEAP: ReadonlySet<Kind> = new Set(['ratings', 'rating', 'symbol', 'user'])

/** Answers from the archive, never from the service, but for the proxy route of pages. */
export type Api = {
  /** What is asked, as a value that nobody may change. Throws AppError; what nobody foresaw is told to the log. */
  answer<K extends Kind>(endpoint: Endpoint<K>, asked: Asked, asker?: Asker): Promise<Answers[K]>
  /** The same for a request, as a response; whatever goes wrong has the one shape. */
  respond(endpoint: Endpoint | RawEndpoint, request: Request): Promise<Response>
}

/** The API of a process. It keeps what changes slowly, for pages and requests alike. */
export function createApi(given: ApiDeps): Api {
  const turns = createTurns(TURNS)
  const deps: ApiDeps & Shared = {
    ...given,
    takeTurn: turns.take,
    takeExportSlot: createSlots(),
    takeQuarantineSlot: createSlots(),
    loadPage: createPageLoader(given),
  }
  const version = () => `${deps.archive.state().version}.${deps.names.version()}`
  const cache = createAnswerCache({
    now: deps.now,
    version,
    maxBytes: CACHE_BYTES,
    maxAgeSeconds: CACHE_AGE_SECONDS,
  })
  /** An answer says which generation it is of: where a commit came while it was made, it is made again. */
  const ofOneGeneration = async <T>(make: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      const begun = version()
      const made = await make()
      if (version() === begun || tries === TRIES) return made
    }
  }
  /** `read` gives what is asked; where the answer is kept it is not needed. */
  const load = <K extends Kind>(
    { kind, answer }: Endpoint<K>,
    address: string,
    { read, asker }: { read: () => Asked; asker: Asker },
  ) =>
    cache.answer({ kind, address }, asker.signal, async (signal) => {
      const asked = read()
      const end = await turns.take({ client: asker.client, isDear: !CHEAP.has(kind) }, signal)
      try {
        return await ofOneGeneration(() => answer(deps, { ...asked, signal }))
      } finally {
        end()
      }
    })

  const respondTo = async (endpoint: Endpoint, request: Request, url: URL) => {
    const read = () => ({ parts: readParts(endpoint.kind, url.pathname), params: url.searchParams })
    const asker = toAsker(request)
    if (!endpoint.isKept) return sendNow(await endpoint.answer(deps, { ...read(), may: asker.may }))
    const kept = await load(endpoint, url.pathname + url.search, { read, asker })
    return sendPrepared(request, kept.toPrepared())
  }
  return {
    async answer(endpoint, asked, asker = { client: '' }) {
      const address = toAddress({ kind: endpoint.kind, ...asked })
      try {
        if (!endpoint.isKept) return await endpoint.answer(deps, { ...asked, may: asker.may })
        return (await load(endpoint, address, { read: () => asked, asker })).value
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

const toAsker = ({ headers, signal }: Request): Asker => ({
  client: readClient(headers),
  may: headers.get(MAY) ?? '',
  signal,
})

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

type AnswerCacheOptions = {
  /** Seconds since 1970. */
  now: () => number
  /** Another text for other ratings. */
  version: () => string
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
  /**
   * The answer to an address: kept, on its way, or made now. A failure is not kept. Throws AppError('busy') as soon as
   * `signal` fires; what is made is told once nobody waits for it any more.
   */
  answer<K extends Kind>(
    key: Key<K>,
    signal: AbortSignal | undefined,
    make: (signal: AbortSignal) => Promise<Answers[K]>,
  ): Promise<KeptAnswer<K>>
}

type Entry<K extends Kind = Kind> = {
  kind: K
  answer: KeptAnswer<K>
  version: string
  madeAt: number
}

/**
 * Answers by address, the least recently used leaving first. Data change only when a sync commits, so an entry is good
 * for its generation; and states change as time goes by, so for no longer than `maxAgeSeconds`.
 */
export function createAnswerCache(options: AnswerCacheOptions): AnswerCache {
  const { now, version, maxBytes, maxAgeSeconds } = options
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes })
  const inFlight = createInFlight<Entry>()

  const isFresh = (entry: Entry) =>
    entry.version === version() && now() - entry.madeAt < maxAgeSeconds

  const find = (address: string): Entry | null => {
    const entry = entries.get(address)
    return entry && isFresh(entry) ? entry : null
  }
  const weigh = (address: string, { answer }: Entry, size: number) => {
    const entry = entries.peek(address)
    // Another may have taken its place, or it has left.
    if (entry?.answer !== answer) return
    // As an object of its own: the same one would keep its old size.
    entries.set(address, { ...entry }, { size: address.length + size })
  }
  const toEntry = <K extends Kind>({ kind, address }: Key<K>, value: Answers[K], begun: Begun) => {
    let prepared: Prepared | null = null
    const toPrepared = () => {
      if (prepared) return prepared
      prepared = prepare(value)
      // The value stays beside its bytes, and what it takes is known better now.
      weigh(address, entry, 2 * prepared.body.byteLength)
      return prepared
    }
    const entry: Entry<K> = { kind, answer: { value, toPrepared }, ...begun }
    return entry
  }
  return {
    async answer(key, signal, make) {
      const { kind, address } = key
      const found = find(address)
      if (found && isOf(kind, found)) return found.answer
      const begun = { version: version(), madeAt: now() }
      const flight = `${begun.version} ${kind} ${address}`
      const entry = await inFlight.join(flight, signal, async (wanted) => {
        const made = toEntry(key, await make(wanted), begun)
        const size = freeze(made.answer.value)
        // What was begun before a commit does not take the place of what came after it.
        if (isFresh(made) || !find(address)) {
          entries.set(address, made, { size: address.length + size })
        }
        return made
      })
      if (!isOf(kind, entry)) throw new Error(`an answer of ${kind} is one of ${entry.kind}`)
      return entry.answer
    },
  }
}

type Begun = Pick<Entry, 'version' | 'madeAt'>

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
