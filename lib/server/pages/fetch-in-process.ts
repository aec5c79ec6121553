import 'server-only'
import { connection } from 'next/server'
import type { Sender } from '#lib/api/endpoint.ts'
import { ApiError } from '#lib/client/api-error.ts'
import type { FetchAnswer } from '#lib/client/fetch-api.ts'
import { serverCaller } from '#lib/contract/caller.ts'
import { type AppError, isUnforeseen, toAppError } from '#lib/contract/faults.ts'
import type { AnswerOf, ApiRequest, Question } from '#lib/contract/operations/operation.ts'
import { toLogFields } from '#lib/server/environment/log.ts'
import { requireContext, selectContext, toSender } from '#lib/server/gate/request-context.ts'
import { openRuntime, processLog } from '#lib/server/runtime/runtime.ts'

/** For pages, with the permissions of the reader. Throws ApiError, like `fetch`. */
export const fetchInProcess: FetchAnswer = async (asked) => {
  // Prevents prerendering at build time.
  await connection()
  return await answerInProcess(asked, toSender(selectContext()))
}

/** For what every reader may know of an answer. Throws ApiError. */
export const fetchAsServer: FetchAnswer = async (asked) => {
  await connection()
  return await answerInProcess(asked, { ...toSender(requireContext()), caller: serverCaller })
}

export async function answerInProcess<Q extends Question>(
  asked: ApiRequest<Q>,
  sender: Sender,
): Promise<AnswerOf<Q>> {
  const { api } = await openRuntime().catch((error: unknown) => {
    if (isUnforeseen(error)) processLog().error('a page failed', toLogFields(error))
    throw toApiError(toAppError(error))
  })
  try {
    return await api.answer(asked, sender)
  } catch (error) {
    throw toApiError(toAppError(error))
  }
}

/** Whole seconds. */
function toApiError({ fault, status, message, issues, retryAfterSeconds }: AppError): ApiError {
  const context = selectContext()
  // Client errors are final, so such a page may be cached.
  if (context && status >= 500) context.isComplete = false
  const wait = retryAfterSeconds === undefined ? null : Math.max(1, Math.ceil(retryAfterSeconds))
  return new ApiError(fault, status, message, issues ?? [], wait)
}
