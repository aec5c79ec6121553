import type { ApiExamples } from '#components/docs/operation-screen.tsx'
import type { Answers, Kind } from '#lib/contract/answers/questions.ts'
import { askInProcess } from '#lib/server/ask-in-process.ts'

/** What forms of the API begin with: the most rated symbol and user, the newest rating, an edition on disk. */
export async function loadApiExamples(): Promise<ApiExamples> {
  const [symbols, users, ratings, editions] = await Promise.all([
    first('symbols'),
    first('users'),
    first('ratings'),
    ask('editions', ''),
  ])
  return {
    symbol: symbols?.data[0]?.symbol ?? null,
    user: toText(users?.data[0]?.user_id),
    rating: toText(ratings?.data[0]?.id),
    file: editions?.data.posts[0]?.file_name ?? null,
  }
}

const toText = (id: number | undefined) => (id === undefined ? null : String(id))

const first = <K extends Kind>(kind: K) => ask(kind, 'per_page=1')

/** An archive that is not open has no example. */
const ask = <K extends Kind>(kind: K, query: string): Promise<Answers[K] | null> =>
  askInProcess({ kind, parts: {}, params: new URLSearchParams(query) }).catch(() => null)
