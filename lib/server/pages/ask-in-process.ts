import 'server-only'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import { permits } from '#lib/access/permissions.ts'
import { MAY } from '#lib/api/endpoint.ts'
import { ApiError } from '#lib/client/api-error.ts'
import type { FetchAnswer } from '#lib/client/fetch-api.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import type { AnswerOf, ApiRequest, Question } from '#lib/contract/operations/operation.ts'
import { toLogFields } from '#lib/server/environment/log.ts'
import { readMay } from '#lib/server/gate/callers.ts'
import { openRuntime, processLog } from '#lib/server/runtime/runtime.ts'
import { noteUnanswered, readPageAsker } from './page-render.ts'

/** Throws ApiError, like `fetch`. */
export const askInProcess: FetchAnswer = async (asked) => {
  // Prevents prerendering at build time.
  await connection()
  const may = (await headers()).get(MAY) ?? ''
  const { permission } = asked.question
  if (permission !== 'nobody' && !permits(readMay(may), permission)) {
    throw toApiError(new AppError('forbidden', 'This requires a permission.'))
  }
  return await answerQuestion(asked, may)
}

/** The caller must check permissions. */
export async function answerQuestion<Q extends Question>(
  asked: ApiRequest<Q>,
  may = '',
): Promise<AnswerOf<Q>> {
  const { api } = await openRuntime().catch((error: unknown) => {
    const known = toAppError(error)
    if (known.fault === 'internal') processLog().error('a page failed', toLogFields(error))
    throw toApiError(known)
  })
  try {
    return await api.answer(asked, { client: '', ...readPageAsker(), may })
  } catch (error) {
    throw toApiError(toAppError(error))
  }
}

/** Whole seconds. */
function toApiError({ fault, status, message, issues, retryAfterSeconds }: AppError): ApiError {
  // Client errors are final, so such a page may be cached.
  if (status >= 500) noteUnanswered()
  const wait = retryAfterSeconds === undefined ? null : Math.max(1, Math.ceil(retryAfterSeconds))
  return new ApiError(fault, status, message, issues ?? [], wait)
}
