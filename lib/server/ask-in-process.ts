import 'server-only'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import { permits } from '#lib/access/permissions.ts'
import { selectNeed } from '#lib/access/rules.ts'
import { answerChanges } from '#lib/api/changes.ts'
import { answerDifferenceFacets, answerDifferences } from '#lib/api/edition-differences.ts'
import { type Endpoint, MAY } from '#lib/api/endpoint.ts'
import { answerAttention, answerLookupFacets, answerLookups } from '#lib/api/lookups.ts'
import { answerFacets, answerRating, answerRatings } from '#lib/api/ratings.ts'
import { answerCalls, answerCommunity, answerTrack } from '#lib/api/record.ts'
import { answerDumps, answerEditions, answerQuarantine, answerStatus } from '#lib/api/status.ts'
import {
  answerAttentionOverview,
  answerComparison,
  answerFollowed,
  answerMoves,
  answerOpinion,
  answerOverview,
  answerPrices,
  answerSeries,
  answerSymbol,
  answerSymbols,
} from '#lib/api/symbols.ts'
import { answerRecord, answerUser, answerUserRatings, answerUsers } from '#lib/api/users.ts'
import { answerWatching } from '#lib/api/watching.ts'
import { ApiError } from '#lib/client/api-error.ts'
import type { Ask } from '#lib/client/fetch-api.ts'
import {
  ADDRESSES,
  type Answers,
  type Kind,
  type Question,
} from '#lib/contract/answers/questions.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import { readMay } from './callers.ts'
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
  moves: answerMoves,
  changes: answerChanges,
  prices: answerPrices,
  followed: answerFollowed,
  comparison: answerComparison,
  overview: answerOverview,
  users: answerUsers,
  user: answerUser,
  calls: answerUserRatings,
  record: answerRecord,
  track: answerTrack,
  community: answerCommunity,
  scoredCalls: answerCalls,
  lookups: answerLookups,
  lookupFacets: answerLookupFacets,
  attention: answerAttention,
  attentionOverview: answerAttentionOverview,
  status: answerStatus,
  dumps: answerDumps,
  editions: answerEditions,
  differences: answerDifferences,
  differenceFacets: answerDifferenceFacets,
  quarantine: answerQuarantine,
  watching: answerWatching,
}

/**
 * Asks the API where a page is rendered: the very function that a route serves, and the value that it keeps. Throws
 * ApiError, as a browser that asked would.
 */
export const askInProcess: Ask = async (question) => {
  // Never at build: what a page shows is of the moment that it is asked.
  await connection()
  const may = (await headers()).get(MAY) ?? ''
  // By the rules that his own requests are held against.
  const need = selectNeed(ADDRESSES[question.kind])
  if (need === null || (need !== 'nobody' && !permits(readMay(may), need))) {
    throw toApiError(new AppError('forbidden', 'This is not shown to every reader.'))
  }
  return await answerQuestion(question, may)
}

/** Whatever asks, with what whoever it asks for may do. */
export async function answerQuestion<K extends Kind>(
  question: Question<K>,
  may = '',
): Promise<Answers[K]> {
  const { api } = await openRuntime().catch((error: unknown) => {
    const known = toAppError(error)
    if (known.fault === 'internal') processLog().error('a page failed', toLogFields(error))
    throw toApiError(known)
  })
  try {
    return await api.answer(ENDPOINTS[question.kind], question, {
      client: '',
      ...readPageAsker(),
      may,
    })
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
