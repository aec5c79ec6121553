import type * as z from 'zod/mini'
import { failure } from '#lib/contract/answers/envelope.ts'
import { ApiError } from './api-error.ts'

/** Throws ApiError if invalid. */
export function parseAnswer<A>(schema: z.ZodMiniType<A>, body: unknown): A {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new ApiError(
    'internal',
    502,
    'The dashboard received an invalid response from its server.',
    [],
  )
}

export function toApiError({ status, headers }: Response, body: unknown): ApiError {
  const wait = parseWait(headers.get('retry-after'))
  const refused = failure.safeParse(body)
  if (!refused.success) {
    const message = `The dashboard answered with error ${status}.`
    return new ApiError('internal', status, message, [], wait)
  }
  const { type, message, issues } = refused.data.error
  return new ApiError(type, status, message, issues ?? [], wait)
}

/** Whole seconds only; our API sends no dates. */
const parseWait = (text: string | null): number | null =>
  text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null
