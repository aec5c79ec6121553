import {
  type Answers,
  type Kind,
  type Question,
  toAddress,
} from '#lib/contract/answers/questions.ts'
import { withBase, withoutBase } from '#lib/contract/base-path.ts'
import { BEHIND_HEADER } from '#lib/contract/seen.ts'
import { ApiError } from './api-error.ts'
import type { ParsedAnswers } from './parse-answer.ts'

/**
 * Has a question answered: by `fetch` in the browser, by the API itself where a page is rendered on the server. Throws
 * ApiError, or the abort's own error.
 */
export type Ask = <K extends Kind>(
  question: Question<K>,
  init?: { signal?: AbortSignal },
) => Promise<Answers[K]>

export const askInBrowser: Ask = (question, init) =>
  loadAnswer(question.kind, toAddress(question), { ...init, fetchApi: fetchInBrowser })

/** Sends one request to our own API. */
type FetchApi = (path: string, init?: { signal?: AbortSignal }) => Promise<Response>

export const fetchInBrowser: FetchApi = (path, init) =>
  fetch(withBase(path), { ...init, headers: { accept: 'application/json', ...toLinkHeader() } })

/** The same for what changes something, with a body that only a page of ours can send. */
export const sendInBrowser =
  (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', body: unknown = {}): FetchApi =>
  (path, init) =>
    fetch(withBase(path), {
      ...init,
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

/** Sends a file as it is. */
export const sendFileInBrowser =
  (file: Blob): FetchApi =>
  (path, init) =>
    fetch(withBase(path), {
      ...init,
      method: 'PUT',
      headers: { accept: 'application/json', 'content-type': 'text/csv' },
      body: file,
    })

/** Asks for a file of ours; what comes is not looked at. */
export const fetchFile = (path: string, init: RequestInit): Promise<Response> =>
  fetch(withBase(path), init)

/** In the frame of another page the address holds the token that lets it be shown: what it asks shows that, too. */
function toLinkHeader(): { authorization?: string } {
  const { pathname, search } = window.location
  const link = withoutBase(pathname)?.startsWith('/embed/')
    ? new URLSearchParams(search).get('link')
    : null
  return link === null ? {} : { authorization: `Bearer ${link}` }
}

type FetchOptions = { fetchApi: FetchApi; signal?: AbortSignal }

/** Loads one address and parses what came as its kind, by what is loaded at the same time. Throws ApiError, or the abort's own error. */
export async function loadAnswer<K extends keyof ParsedAnswers>(
  kind: K,
  path: string,
  options: FetchOptions,
): Promise<ParsedAnswers[K]> {
  const [{ response, text }, { parseAnswer, toApiError }] = await Promise.all([
    fetchText(path, options),
    import('./parse-answer.ts'),
  ]).catch((error: unknown) => {
    if (options.signal?.aborted) throw error
    throw new ApiError('offline', 0, 'The dashboard could not be reached.', [])
  })
  const body = parseJson(text)
  if (!response.ok) throw toApiError(response, body)
  return parseAnswer(kind, body)
}

async function fetchText(path: string, { fetchApi, signal }: FetchOptions) {
  const response = await fetchApi(path, { signal })
  if (response.headers.has(BEHIND_HEADER)) noteBehind(response)
  return { response, text: await response.text() }
}

/** Few pages ever need what takes note of it. */
function noteBehind(response: Response): void {
  void import('./seen-cookie.ts').then(
    ({ takeBehind }) => takeBehind(response),
    () => undefined,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
