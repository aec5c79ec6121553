import { ApiError } from './api-error.ts'
import type { Answers } from './parse-answer.ts'

/** Asks our own API: `fetch` in the browser, the API itself where a page is rendered on the server. */
export type FetchApi = (path: string, init?: { signal?: AbortSignal }) => Promise<Response>

export const fetchInBrowser: FetchApi = (path, init) =>
  fetch(path, { ...init, headers: { accept: 'application/json' } })

type FetchOptions = { fetchApi: FetchApi; signal?: AbortSignal }

/** Loads one address and parses what came as its kind, by what is loaded at the same time. Throws ApiError, or the abort's own error. */
export async function loadAnswer<K extends keyof Answers>(
  kind: K,
  path: string,
  options: FetchOptions,
): Promise<Answers[K]> {
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
  return { response, text: await response.text() }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
