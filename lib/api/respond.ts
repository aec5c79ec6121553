import { createHash } from 'node:crypto'
import type { Archive } from '#lib/archive/archive.ts'
import { type Meta, type PageInfo, toFailure } from '#lib/contract/answers/envelope.ts'
import { AppError, type Issue, toAppError } from '#lib/contract/faults.ts'
import type { Parts, PartValues } from '#lib/contract/operations/operation.ts'
import { isProblem } from '#lib/contract/query-parameters.ts'
import {
  type Parameters,
  parseParameters,
  type QuerySchema,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** An answer as bytes, ready to be sent again and again. */
export type Prepared = { body: Uint8Array<ArrayBuffer>; etag: string }

/** Serialises an answer once; its ETag is strong, made of the bytes. */
export function prepare(answer: object): Prepared {
  const body = new TextEncoder().encode(JSON.stringify(answer))
  return { body, etag: `"${toContentHash(body)}"` }
}

/** What a strong validator is made of: 162 bits of the content's SHA-256. */
export const toContentHash = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 27)

/** Sends a prepared answer, or 304 to somebody who has it. */
export function sendPrepared(request: Request, { body, etag }: Prepared): Response {
  const headers = { etag, 'cache-control': 'private, no-cache' }
  if (isHeld(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(body, { headers: { ...headers, 'content-type': JSON_TYPE } })
}

/**
 * Whether who asks has it already, by what `If-None-Match` says. A proxy on the way may have made the validator weak; the
 * bytes are the same (RFC 9110, 13.1.2).
 */
export const isHeld = (ifNoneMatch: string | null, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag)

/**
 * Whether a page of ours asks to change something, or a script that shows a token: neither can a page of another site do. Over
 * plain HTTP from another machine browsers leave Sec-Fetch-Site out; there the origin has to be our own host.
 */
export function isFromUs(headers: Headers): boolean {
  // Browsers send what a proxy asked for (`Basic`) by themselves, and this never.
  if (/^Bearer /i.test(headers.get('authorization') ?? '')) return true
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = headers.get('origin') ?? ''
  return URL.canParse(origin) && new URL(origin).host === headers.get('host')
}

/** Sends an answer that is true only now. */
export function sendNow<T extends { code: number }>(answer: T): Response {
  return new Response(JSON.stringify(answer), {
    status: answer.code,
    headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store' },
  })
}

/** The one shape of a failure. */
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

/** Whatever was thrown, as an answer; what nobody foresaw is told to the log, not to the reader. */
export function sendError(error: unknown, report: (error: unknown) => void): Response {
  const known = toAppError(error)
  if (known.fault === 'internal') report(error)
  return sendFailure(known)
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

/** The parameters of a request by a schema. Throws AppError('bad_request') that names each one that is wrong. */
export function readParameters<P extends Parameters>(
  schema: QuerySchema<P>,
  params: URLSearchParams,
): ValuesOf<P> {
  const parsed = parseParameters(schema, params)
  if (!parsed.ok) throw toBadRequest(parsed.issues)
  return parsed.value
}

/** The values of the parts of an address. Throws AppError('bad_request'). */
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

/** The instant that is asked for, or now: of one that is to come nothing is known, so it is judged as of now. */
export const toPast = (asof: number | null, now: number): number => Math.min(asof ?? now, now)

/** A success with what stands beside its data. */
export const toAnswer = <D, R extends object = object>(data: D, rest: R = {} as R) => ({
  success: true as const,
  code: 200,
  data,
  ...rest,
})
