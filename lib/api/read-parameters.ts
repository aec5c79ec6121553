import type * as z from 'zod/mini'
import { AppError, type Issue } from '#lib/contract/faults.ts'
import { parseParameters } from '#lib/contract/parameters.ts'

/** The parameters of a request by a schema. Throws AppError('bad_request') that names each one that is wrong. */
export function readParameters<S extends z.ZodMiniType>(
  schema: S,
  params: URLSearchParams,
): z.output<S> {
  const parsed = parseParameters(schema, params)
  if (!parsed.ok) throw toBadRequest(parsed.issues)
  return parsed.value
}

export function toBadRequest(issues: readonly Issue[]): AppError {
  const text = issues
    .slice(0, 5)
    .map(({ parameter, message }) => `${parameter} ${message}`)
    .join('; ')
  return new AppError('bad_request', `${text}.`, { issues })
}
