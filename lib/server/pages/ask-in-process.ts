import 'server-only'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import { permits } from '#lib/access/permissions.ts'
import { MAY } from '#lib/api/endpoint.ts'
import { ApiError } from '#lib/client/api-error.ts'
import type { Ask } from '#lib/client/fetch-api.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import type { AnswerOf, Asked, Question } from '#lib/contract/operations/operation.ts'
import { toLogFields } from '#lib/server/environment/log.ts'
import { readMay } from '#lib/server/gate/callers.ts'
import { openRuntime, processLog } from '#lib/server/runtime/runtime.ts'
import { noteUnanswered, readPageAsker } from './page-render.ts'

/** Asks the API where a page is rendered: the function behind the route, and the value that it caches. Throws ApiError, as `fetch` would. */
export const askInProcess: Ask = async (asked) => {
  // Never at build time: a page shows the moment of its request.
  await connection()
  const may = (await headers()).get(MAY) ?? ''
  const { permission } = asked.question
  if (permission !== 'nobody' && !permits(readMay(may), permission)) {
    throw toApiError(new AppError('forbidden', 'This is not shown to every reader.'))
  }
  return await answerQuestion(asked, may)
}

/** Answers a question with the reader's permissions, which are not checked here. */
export async function answerQuestion<Q extends Question>(
  asked: Asked<Q>,
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

/** What a failure says to whoever asks over HTTP, without the detour; the wait in whole seconds, as the header has it. */
function toApiError({ fault, status, message, issues, retryAfterSeconds }: AppError): ApiError {
  // What is wrong with a question stays wrong.
  if (status >= 500) noteUnanswered()
  const wait = retryAfterSeconds === undefined ? null : Math.max(1, Math.ceil(retryAfterSeconds))
  return new ApiError(fault, status, message, issues ?? [], wait)
}
