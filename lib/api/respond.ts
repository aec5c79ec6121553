import { createHash } from 'node:crypto'
import type { Archive } from '#lib/archive/archive.ts'
import { type Meta, type PageInfo, toFailure } from '#lib/contract/answers/envelope.ts'
import { AppError, type Issue, isUnforeseen, toAppError } from '#lib/contract/faults.ts'
import type { Parts, PartValues } from '#lib/contract/operations/operation.ts'
import { isProblem } from '#lib/contract/query-parameters.ts'
import {
  type Parameters,
  parseParameters,
  type QuerySchema,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'
import { readBearer } from '#lib/http/bearer.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

export type Prepared = { body: Uint8Array<ArrayBuffer>; etag: string }

export function prepare(answer: object): Prepared {
  const body = new TextEncoder().encode(JSON.stringify(answer))
  return { body, etag: `"${toContentHash(body)}"` }
}

export const toContentHash = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 27)

export function sendPrepared(request: Request, { body, etag }: Prepared): Response {
  const headers = { etag, 'cache-control': 'private, no-cache' }
  if (matchesEtag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(body, { headers: { ...headers, 'content-type': JSON_TYPE } })
}

/**
 * Weak comparison (RFC 9110, 13.1.2): proxies that compress add `W/`, or a suffix such as `-gzip`.
 */
export const matchesEtag = (ifNoneMatch: string | null, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag || tag.replace(CODING, '"') === etag)

/** As Apache and Caddy write it. */
const CODING = /-(?:gzip|br|zstd)"$/

/**
 * CSRF check. Browsers omit Sec-Fetch-Site over plain http; then Origin must match the host. A
 * token does not excuse another site: in the open mode it proves nothing.
 */
export function isFromUs(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'none') return site === 'same-origin'
  const origin = headers.get('origin')
  if (origin !== null) return URL.canParse(origin) && new URL(origin).host === headers.get('host')
  // Browsers send Basic credentials on their own, Bearer never.
  return readBearer(headers.get('authorization')) !== undefined
}

export function sendNow<T extends { code: number }>(answer: T): Response {
  return new Response(JSON.stringify(answer), {
    status: answer.code,
    headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store' },
  })
}

export function sendFailure(error: AppError, headers: Record<string, string> = {}): Response {
  const retry = error.retryAfterSeconds
  return new Response(JSON.stringify(toFailure(error)), {
    status: error.status,
    headers: {
      'content-type': JSON_TYPE,
      'cache-control': 'no-store',
      ...(retry === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retry))) }),
      ...headers,
    },
  })
}

export function sendError(error: unknown, report: (error: unknown) => void): Response {
  if (isUnforeseen(error)) report(error)
  return sendFailure(toAppError(error))
}

export const toPageInfo = (query: { page: number; per_page: number }, total: number): PageInfo => ({
  number: query.page,
  size: query.per_page,
  total,
  pages: Math.max(1, Math.ceil(total / query.per_page)),
})

export function toMeta({ archive }: { archive: Pick<Archive, 'state'> }, asOf: number): Meta {
  const { completeTo, generation } = archive.state()
  return { as_of: asOf, complete_to: completeTo, generation }
}

/** Throws AppError `bad_request`. */
export function readParameters<P extends Parameters>(
  schema: QuerySchema<P>,
  params: URLSearchParams,
): ValuesOf<P> {
  const parsed = parseParameters(schema, params)
  if (!parsed.ok) throw toBadRequest(parsed.issues)
  return parsed.value
}

/** Throws AppError `bad_request`. */
export function readPartValues<P extends Parts>(
  known: P,
  parts: Readonly<Record<string, string>>,
): PartValues<{ parts: P }> {
  const values = Object.entries(known).map(([name, part]) => {
    const value = part.read(parts[name] ?? '')
    if (isProblem(value)) throw toBadRequest([{ parameter: name, message: value.problem }])
    return [name, value]
  })
  return Object.fromEntries(values) as PartValues<{ parts: P }>
}

export function toBadRequest(issues: readonly Issue[]): AppError {
  const text = issues
    .slice(0, 5)
    .map(({ parameter, message }) => `${parameter} ${message}`)
    .join('; ')
  return new AppError('bad_request', `${text}.`, { issues })
}

export const toPast = (asof: number | null, now: number): number => Math.min(asof ?? now, now)

export const toAnswer = <D, R extends object = object>(data: D, rest: R = {} as R) => ({
  success: true as const,
  code: 200,
  data,
  ...rest,
})
