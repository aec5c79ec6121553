import { AppError, type Issue } from '#lib/contract/faults.ts'
import {
  type Parameters,
  parseParameters,
  type QuerySchema,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'

/** The parameters of a request by a schema. Throws AppError('bad_request') that names each one that is wrong. */
export function readParameters<P extends Parameters>(
  schema: QuerySchema<P>,
  params: URLSearchParams,
): ValuesOf<P> {
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
