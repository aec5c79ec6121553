import type * as z from 'zod/mini'
import { type Failure, failure } from '#lib/contract/envelope.ts'
import type { Issue } from '#lib/contract/faults.ts'

/** Asks our own API: `fetch` in the browser, the API itself where a page is rendered on the server. */
export type FetchApi = (path: string, init?: { signal?: AbortSignal }) => Promise<Response>

export const fetchInBrowser: FetchApi = (path, init) =>
  fetch(path, { ...init, headers: { accept: 'application/json' } })

/** What our API said instead of an answer, or `offline` where it could not be reached at all. */
export class ApiError extends Error {
  readonly type: Failure['error']['type'] | 'offline'
  readonly status: number
  readonly issues: readonly Issue[]

  constructor(type: ApiError['type'], status: number, message: string, issues: readonly Issue[]) {
    super(message)
    this.name = 'ApiError'
    this.type = type
    this.status = status
    this.issues = issues
  }
}

/** Loads one address and parses what came by its schema. Throws ApiError, or the abort's own error. */
export async function loadAnswer<S extends z.ZodMiniType>(
  schema: S,
  path: string,
  options: { fetchApi: FetchApi; signal?: AbortSignal },
): Promise<z.output<S>> {
  const body = await loadBody(path, options)
  const answer = schema.safeParse(body)
  if (answer.success) return answer.data
  throw new ApiError('internal', 502, 'The dashboard did not understand its own answer.', [])
}

async function loadBody(
  path: string,
  { fetchApi, signal }: { fetchApi: FetchApi; signal?: AbortSignal },
): Promise<unknown> {
  let response: Response
  let body: unknown
  try {
    response = await fetchApi(path, { signal })
    body = await response.json()
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError('offline', 0, 'The dashboard could not be reached.', [])
  }
  if (response.ok) return body
  const refused = failure.safeParse(body)
  if (!refused.success) {
    throw new ApiError('internal', response.status, 'The dashboard answered with an error.', [])
  }
  const { type, message, issues } = refused.data.error
  throw new ApiError(type, response.status, message, issues ?? [])
}
