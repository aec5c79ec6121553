import type { ApiExamples } from '#components/docs/api-screens.tsx'
import { toAsked } from '#lib/client/query-options.ts'
import type { AnswerOf, Question } from '#lib/contract/operations/operation.ts'
import { ratingQuestions } from '#lib/contract/operations/ratings.ts'
import { editionQuestions } from '#lib/contract/operations/state.ts'
import { symbolQuestions } from '#lib/contract/operations/symbols.ts'
import { userQuestions } from '#lib/contract/operations/users.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'

export async function loadApiExamples(): Promise<ApiExamples> {
  const [symbols, users, ratings, editions] = await Promise.all([
    ask(symbolQuestions.symbols, toParams(symbolQuestions.symbols.query, FIRST)),
    ask(userQuestions.users, toParams(userQuestions.users.query, FIRST)),
    ask(ratingQuestions.ratings, toParams(ratingQuestions.ratings.query, FIRST)),
    ask(editionQuestions.editions),
  ])
  return {
    symbol: symbols?.data[0]?.symbol ?? null,
    user: toText(users?.data[0]?.user_id),
    rating: toText(ratings?.data[0]?.id),
    file: editions?.data.posts[0]?.file_name ?? null,
  }
}

const toText = (id: number | undefined) => (id === undefined ? null : String(id))

const FIRST = { per_page: 1 }

/** Null while the archive is not open. */
const ask = <Q extends Question>(
  question: Q,
  params?: URLSearchParams,
): Promise<AnswerOf<Q> | null> =>
  fetchInProcess(toAsked(question, params && { params })).catch(() => null)
