import { withBase, withoutBase } from '#lib/contract/base-path.ts'
import { parseJson } from '#lib/contract/json-text.ts'
import {
  type AnswerOf,
  type ApiRequest,
  fillAddress,
  type LoadSchema,
  type Method,
  type Operation,
  type Question,
  toAddress,
} from '#lib/contract/operations/operation.ts'
import { BEHIND_HEADER, SEEN_COOKIE, toGeneration } from '#lib/contract/seen.ts'
import { ApiError } from './api-error.ts'

/** Throws ApiError or the abort error. */
export type FetchAnswer = <Q extends Question>(
  asked: ApiRequest<Q>,
  init?: { signal?: AbortSignal },
) => Promise<AnswerOf<Q>>

export const askInBrowser: FetchAnswer = async <Q extends Question>(
  asked: ApiRequest<Q>,
  init?: { signal?: AbortSignal },
) =>
  (await loadAnswer(asked.question.answer, toAddress(asked), {
    ...init,
    fetchApi: fetchInBrowser,
  })) as AnswerOf<Q>

type FetchApi = (path: string, init?: { signal?: AbortSignal }) => Promise<Response>

const fetchInBrowser: FetchApi = (path, init) =>
  fetch(withBase(path), { ...init, headers: { accept: 'application/json', ...toLinkHeader() } })

const sendInBrowser =
  (method: Method, body: unknown = {}): FetchApi =>
  (path, init) =>
    fetch(withBase(path), {
      ...init,
      method,
      headers: {
        accept: 'application/json',
        'content-type': body instanceof Blob ? 'text/csv' : 'application/json',
      },
      body: body instanceof Blob ? body : JSON.stringify(body),
    })

export const fetchFile = async (path: string, init: RequestInit): Promise<Response> =>
  noteSignedOut(await fetch(withBase(path), init))

/** Where people sign in: what an answer does that says that the session has ended. */
export const signedOut: { leave: (() => void) | null } = { leave: null }

function noteSignedOut(response: Response): Response {
  if (response.status === 401) signedOut.leave?.()
  return response
}

/** Embeds authenticate with the token of their address. */
function toLinkHeader(): { authorization?: string } {
  const { pathname, search } = window.location
  const link = withoutBase(pathname)?.startsWith('/embed/')
    ? new URLSearchParams(search).get('link')
    : null
  return link === null ? {} : { authorization: `Bearer ${link}` }
}

type FetchOptions = { fetchApi: FetchApi; signal?: AbortSignal }

export async function loadAnswer<A>(
  loadSchema: LoadSchema<A>,
  path: string,
  options: FetchOptions,
): Promise<A> {
  const [{ response, text }, schema, { parseAnswer, toApiError }] = await Promise.all([
    fetchText(path, options),
    loadSchema(),
    import('./parse-answer.ts'),
  ]).catch((error: unknown) => {
    if (options.signal?.aborted) throw error
    throw new ApiError('offline', 0, 'The dashboard could not be reached.', [])
  })
  const body = parseJson(text)
  if (!response.ok) throw toApiError(response, body)
  return parseAnswer(schema, body)
}

type OperationAnswer<O> = O extends { answer: { load: LoadSchema<infer A> } } ? A : never

type RequestInput = {
  parts?: Readonly<Record<string, string>>
  body?: unknown
  signal?: AbortSignal
}

/** Throws ApiError or the abort error. */
export const sendOperation = async <O extends Operation & { answer: { load: LoadSchema } }>(
  { method, address, answer }: O,
  { parts = {}, body, signal }: RequestInput = {},
): Promise<OperationAnswer<O>> =>
  (await loadAnswer(answer.load, fillAddress(address, parts), {
    fetchApi: method === 'GET' ? fetchInBrowser : sendInBrowser(method, body),
    ...(signal && { signal }),
  })) as OperationAnswer<O>

async function fetchText(path: string, { fetchApi, signal }: FetchOptions) {
  const response = noteSignedOut(await fetchApi(path, { signal }))
  if (response.headers.has(BEHIND_HEADER)) takeBehind(response)
  return { response, text: await response.text() }
}

/** Bounds waiting for a generation that was lost with a database. */
const SEEN_SECONDS = 60

export type CookieJar = { cookie: string }

export function writeSeen(generation: number, jar: CookieJar): void {
  const attributes = `path=${withBase('/')}; max-age=${SEEN_SECONDS}; samesite=lax`
  jar.cookie = `${SEEN_COOKIE}=${generation}; ${attributes}`
}

/** A node that could not catch up reports its generation, so that later requests do not wait. */
export function takeBehind({ headers }: Response, jar?: CookieJar): void {
  const generation = toGeneration(headers.get(BEHIND_HEADER))
  if (generation !== null) writeSeen(generation, jar ?? document)
}
