import 'server-only'
import { connection } from 'next/server'
import type { Endpoint } from '#lib/api/endpoint.ts'
import { answerFacets, answerRating, answerRatings } from '#lib/api/ratings.ts'
import { answerDumps, answerEditions, answerQuarantine, answerStatus } from '#lib/api/status.ts'
import {
  answerComparison,
  answerOpinion,
  answerOverview,
  answerSeries,
  answerSymbol,
  answerSymbols,
} from '#lib/api/symbols.ts'
import { answerRecord, answerUser, answerUserRatings, answerUsers } from '#lib/api/users.ts'
import { ApiError } from '#lib/client/api-error.ts'
import type { Ask } from '#lib/client/fetch-api.ts'
import type { Answers, Kind, Question } from '#lib/contract/answers/questions.ts'
import { type AppError, toAppError } from '#lib/contract/faults.ts'
import { toLogFields } from './log.ts'
import { noteUnanswered, readPageAsker } from './page-render.ts'
import { openRuntime, processLog } from './runtime.ts'

/** The functions behind the routes, by what a page asks. */
export const ENDPOINTS: { readonly [K in Kind]: Endpoint<K> } = {
  ratings: answerRatings,
  rating: answerRating,
  facets: answerFacets,
  symbols: answerSymbols,
  symbol: answerSymbol,
  opinion: answerOpinion,
  series: answerSeries,
  comparison: answerComparison,
  overview: answerOverview,
  users: answerUsers,
  user: answerUser,
  calls: answerUserRatings,
  record: answerRecord,
  status: answerStatus,
  dumps: answerDumps,
  editions: answerEditions,
  quarantine: answerQuarantine,
}

/**
 * Asks the API where a page is rendered: the very function that a route serves, and the value that it keeps. Throws
 * ApiError, as a browser that asked would.
 */
export const askInProcess: Ask = async (question) => {
  // Never at build: what a page shows is of the moment that it is asked.
  await connection()
  return await answerQuestion(question)
}

export async function answerQuestion<K extends Kind>(question: Question<K>): Promise<Answers[K]> {
  const { api } = await openRuntime().catch((error: unknown) => {
    const known = toAppError(error)
    if (known.fault === 'internal') processLog().error('a page failed', toLogFields(error))
    throw toApiError(known)
  })
  try {
    return await api.answer(ENDPOINTS[question.kind], question, readPageAsker())
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
