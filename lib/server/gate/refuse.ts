import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { toFailure } from '#lib/contract/answers/envelope.ts'
import type { AppError } from '#lib/contract/faults.ts'

export type Answerer = (request: IncomingMessage, response: ServerResponse) => void

export const isDataAddress = (url: string): boolean => /^\/(?:api|service|mcp)(?:[/?]|$)/.test(url)

export function sendRefusal(
  error: AppError,
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string> = {},
): void {
  const isData = isDataAddress(url)
  const body = isData ? JSON.stringify(toFailure(error)) : `${error.message}\n`
  const wait = error.retryAfterSeconds
  if (wait !== undefined) response.setHeader('retry-after', Math.max(1, Math.ceil(wait)))
  response.writeHead(error.status, {
    'content-type': isData ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
  })
  response.end(method === 'HEAD' ? undefined : body)
}
