import { LRUCache } from 'lru-cache'
import { toOwnPath } from '#lib/contract/base-path.ts'
import { type RequiredPermission, requirePermission } from '#lib/contract/caller.ts'
import { isUnforeseen, toAppError } from '#lib/contract/faults.ts'
import {
  type AnswerOf,
  type ApiRequest,
  type Question,
  readParts,
  toAddress,
} from '#lib/contract/operations/operation.ts'
import { QUESTIONS } from '#lib/contract/operations/operations.ts'
import { createAnswerCache } from './answer-cache.ts'
import { ANSWERS, RESPONDERS } from './answers.ts'
import type { ApiDeps, LoadPage, QuestionInput, Respond, Sender, SharedDeps } from './endpoint.ts'
import { createSlots } from './export-answer.ts'
import {
  type Prepared,
  prepare,
  readParameters,
  readPartValues,
  sendError,
  sendNow,
  sendPrepared,
} from './respond.ts'
import { refuseMethod, selectOperation } from './select-operation.ts'
import { createTurns } from './turns.ts'

/** Size as JSON; the values in memory take about five times as much. */
const CACHE_BYTES = 16 * 1024 * 1024
const CACHE_AGE_SECONDS = 60

/** `atOnce` equals the archive's reader connections. */
const TURNS = { atOnce: 3, expensiveAtOnce: 2, waitingAtMost: 512, waitingAtMostOfOne: 256 }

const TRIES = 3

/** Refuses what the sender's caller may not do, and everything without a caller. */
export type Api = {
  /** Throws AppError. */
  answer<Q extends Question>(asked: ApiRequest<Q>, sender: Sender): Promise<AnswerOf<Q>>
  respond(request: Request, sender: Sender): Promise<Response>
  respondWith(request: Request, route: Route, sender: Sender): Promise<Response>
}

/** A route that is not an operation. */
type Route = { permission: RequiredPermission; respond: Respond }

export function createApi(given: ApiDeps): Api {
  const turns = createTurns(TURNS)
  const deps: ApiDeps & SharedDeps = {
    ...given,
    takeTurn: turns.take,
    takeExportSlot: createSlots(),
    loadPage: createPageLoader(given),
  }
  const version = () => `${deps.archive.state().version}.${deps.names.version()}`
  const cache = createAnswerCache<object>({
    now: deps.now,
    version,
    maxBytes: CACHE_BYTES,
    maxAgeSeconds: CACHE_AGE_SECONDS,
  })
  const load = (question: Question, address: string, sender: Sender, read: () => ParsedRequest) =>
    cache.answer(address, sender.signal, async (signal) => {
      const asked = read()
      const isExpensive = question.cached !== 'row'
      const end = await turns.take({ client: sender.client, isExpensive }, signal)
      try {
        return await ofOneGeneration(version, () => answerFor(question)(deps, { ...asked, signal }))
      } finally {
        end()
      }
    })

  const respondToQuestion = async (
    question: Question,
    { request, sender }: SentRequest,
    url: RequestedUrl,
  ) => {
    const read = () => parseRequest(question, readParts(question.address, url.path), url.params)
    if (question.cached === 'no') {
      const answer = await answerFor(question)(deps, { ...read(), caller: sender.caller })
      return sendNow(answer as { code: number })
    }
    const kept = await load(question, url.path + url.search, sender, read)
    return sendPrepared(request, kept.toPrepared())
  }

  const respondTo = async ({ request, sender }: SentRequest, url: RequestedUrl) => {
    if (sender.caller === null) requirePermission(null, 'public')
    const operation = selectOperation(url.path, request.method)
    if (operation instanceof Response) return operation
    requirePermission(sender.caller, operation.permission)
    const question = QUESTIONS_BY_ID.get(operation.id)
    if (question) return await respondToQuestion(question, { request, sender }, url)
    const respond = RESPONDERS.get(operation.id)
    if (!respond) throw new Error(`No operation answers ${operation.id}.`)
    const parts = readParts(operation.address, url.path)
    return await respond(deps, { request, sender, parts, params: url.params })
  }
  return {
    async answer<Q extends Question>(asked: ApiRequest<Q>, sender: Sender) {
      const { question, parts, params } = asked
      requirePermission(sender.caller, question.permission)
      const address = toAddress(asked)
      const read = () => parseRequest(question, parts, params)
      try {
        const value =
          question.cached === 'no'
            ? await answerFor(question)(deps, { ...read(), caller: sender.caller })
            : (await load(question, address, sender, read)).value
        return value as AnswerOf<Q>
      } catch (error) {
        const path = address.split('?')[0] ?? ''
        if (isUnforeseen(error)) deps.onError(error, { path, requestId: null })
        throw toAppError(error)
      }
    },
    respond: (request, sender) =>
      shaped({ request, sender }, deps, (url) =>
        respondTo({ request, sender: { ...sender, signal: sender.signal ?? request.signal } }, url),
      ),
    respondWith: (request, { permission, respond }, sender) =>
      shaped({ request, sender }, deps, async ({ params }) => {
        requirePermission(sender.caller, permission)
        const isTaken = request.method === 'GET' || request.method === 'HEAD'
        if (!isTaken) return refuseMethod(['GET'])
        return await respond(deps, { request, sender, parts: {}, params })
      }),
  }
}

/** Retries if a commit intervened, because the answer names its generation. */
async function ofOneGeneration<T>(version: () => string, make: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const begun = version()
    const made = await make()
    if (version() === begun || tries === TRIES) return made
  }
}

type SentRequest = { request: Request; sender: Sender }

async function shaped(
  { request, sender }: SentRequest,
  { onError }: Pick<ApiDeps, 'onError'>,
  answer: (url: RequestedUrl) => Promise<Response>,
): Promise<Response> {
  const url = toRequestedUrl(request)
  try {
    return withoutBody(request, await answer(url))
  } catch (error) {
    const requestId = sender.requestId ?? null
    const report = (unknown: unknown) => onError(unknown, { path: url.path, requestId })
    return withoutBody(request, sendError(error, report))
  }
}

type ParsedRequest = QuestionInput<Question>

const answerFor = ({ name }: Question) =>
  ANSWERS[name as keyof typeof ANSWERS] as (deps: ApiDeps, asked: ParsedRequest) => Promise<object>

const QUESTIONS_BY_ID: ReadonlyMap<string, Question> = new Map(
  Object.values(QUESTIONS).map((question) => [question.id, question]),
)

/** Throws AppError `bad_request`. */
const parseRequest = (
  { parts: known, query }: Question,
  parts: ApiRequest['parts'],
  params: URLSearchParams,
): ParsedRequest => ({ ...readPartValues(known, parts), query: readParameters(query, params) })

type RequestedUrl = { path: string; search: string; params: URLSearchParams }

function toRequestedUrl({ url }: Request): RequestedUrl {
  const { pathname, search, searchParams } = new URL(url)
  return { path: toOwnPath(pathname), search, params: searchParams }
}

function withoutBody(request: Request, response: Response): Response {
  if (request.method !== 'HEAD') return response
  void response.body?.cancel()
  return new Response(null, { status: response.status, headers: response.headers })
}

const PAGE_SECONDS = 30
const FAILURE_SECONDS = 5
const PAGES_KEPT = 50

type CachedPage = { page: Promise<Prepared>; until: number }

/**
 * At most one upstream request per page in 30 seconds. Failures are cached for 5 seconds, or for as
 * long as the service requests.
 */
function createPageLoader({ upstream, now }: Pick<ApiDeps, 'upstream' | 'now'>): LoadPage {
  const kept = new LRUCache<number, CachedPage>({ max: PAGES_KEPT })

  const fetchPage = async (page: number): Promise<Prepared> => {
    const { data } = await upstream.fetchPage(page, { purpose: 'people' })
    return prepare({ success: true, code: 200, data })
  }
  return (page) => {
    const known = kept.get(page)
    if (known && now() < known.until) return known.page
    const entry: CachedPage = { page: fetchPage(page), until: Number.POSITIVE_INFINITY }
    kept.set(page, entry)
    entry.page.then(
      () => {
        entry.until = now() + PAGE_SECONDS
      },
      (error) => {
        entry.until = now() + (toAppError(error).retryAfterSeconds ?? FAILURE_SECONDS)
      },
    )
    return entry.page
  }
}
