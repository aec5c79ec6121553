import type { ApiExamples } from '#components/docs/operation-screen.tsx'
import type { Answers, Kind } from '#lib/contract/answers/questions.ts'
import { symbolsQuery, usersQuery } from '#lib/contract/api-queries.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
import { askInProcess } from '#lib/server/ask-in-process.ts'

/** What forms of the API begin with: the most rated symbol and user, the newest rating, an edition on disk. */
export async function loadApiExamples(): Promise<ApiExamples> {
  const [symbols, users, ratings, editions] = await Promise.all([
    ask('symbols', toParams(symbolsQuery, { per_page: 1 })),
    ask('users', toParams(usersQuery, { per_page: 1 })),
    ask('ratings', toParams(ratingsQuery, { per_page: 1 })),
    ask('editions'),
  ])
  return {
    symbol: symbols?.data[0]?.symbol ?? null,
    user: toText(users?.data[0]?.user_id),
    rating: toText(ratings?.data[0]?.id),
    file: editions?.data.posts[0]?.file_name ?? null,
  }
}

const toText = (id: number | undefined) => (id === undefined ? null : String(id))

/** An archive that is not open has no example. */
const ask = <K extends Kind>(kind: K, params = new URLSearchParams()): Promise<Answers[K] | null> =>
  askInProcess({ kind, parts: {}, params }).catch(() => null)
