import type { Answers } from './answers.ts'
import { ApiError } from './api-error.ts'

/** Asks our own API: `fetch` in the browser, the API itself where a page is rendered on the server. */
export type FetchApi = (path: string, init?: { signal?: AbortSignal }) => Promise<Response>

export const fetchInBrowser: FetchApi = (path, init) =>
  fetch(path, { ...init, headers: { accept: 'application/json' } })

/** Loads one address and parses what came as its kind. Throws ApiError, or the abort's own error. */
export async function loadAnswer<K extends keyof Answers>(
  kind: K,
  path: string,
  { fetchApi, signal }: { fetchApi: FetchApi; signal?: AbortSignal },
): Promise<Answers[K]> {
  // What parses it is on its way at the same time.
  const parsing = import('./answers.ts')
  const [{ parseAnswer, toApiError }, response, text] = await (async () => {
    try {
      const response = await fetchApi(path, { signal })
      return [await parsing, response, await response.text()] as const
    } catch (error) {
      // Nobody waits for it any more: its failure is not another one.
      void parsing.catch(() => undefined)
      if (signal?.aborted) throw error
      throw new ApiError('offline', 0, 'The dashboard could not be reached.', [])
    }
  })()
  const body = parseJson(text)
  if (!response.ok) throw toApiError(response, body)
  return parseAnswer(kind, body)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
