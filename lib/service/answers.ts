import { toFailure } from '#lib/contract/envelope.ts'
import type { AppError } from '#lib/contract/faults.ts'
import type { PostRow } from './posts.ts'

const HEADERS = { 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' }

/** The specification's envelope around a page. */
export const toPageAnswer = (data: readonly PostRow[]): Response =>
  toJson({ success: true, code: 200, data }, 200, {})

/** The same envelope around a failure, with `message` beside it. */
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

/** An answer without its body, as HEAD wants it. */
export async function toHeadAnswer(answer: Response): Promise<Response> {
  await answer.body?.cancel()
  return new Response(null, { status: answer.status, headers: answer.headers })
}
