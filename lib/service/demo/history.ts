import { setImmediate } from 'node:timers/promises'
import type { DuckDBValue } from '@duckdb/node-api'
import { createCalendar, DEMO_START } from './calendar.ts'
import { createCommunity } from './community.ts'
import { toDemoRating } from './demo-rating.ts'
import { createDemoChunk } from './demo-table.ts'
import { createRandom } from './random.ts'
import { tickers } from './tickers.ts'

const JITTER_STREAM = 31
const CHUNKS_BEFORE_A_PAUSE = 2

/** What decides a history: the same three give the same ratings. `end` is seconds since 1970, exclusive. */
export type HistoryOf = { seed: number; ratings: number; end: number }

/**
 * The community's ratings from 2014 to `end`, oldest first, ids from 1. Lets other work go on now and then.
 * Keeps one byte per member and symbol: what the member said last.
 */
export async function* createHistory({
  seed,
  ratings,
  end,
}: HistoryOf): AsyncGenerator<DuckDBValue[][]> {
  const community = createCommunity(seed, ratings, end)
  const calendar = createCalendar(seed, end)
  const jitter = createRandom(seed, JITTER_STREAM)
  const lastSaid = new Uint8Array((community.members + 1) * community.symbols)
  const chunk = createDemoChunk()
  let before = DEMO_START
  let chunks = 0
  for (let id = 1; id <= ratings; id += 1) {
    const createdAt = calendar.toInstant((id - 1 + jitter.next()) / ratings)
    const draw = community.draw(id, createdAt)
    const pair = draw.member * community.symbols + draw.symbol
    const symbol = tickers[draw.symbol]?.symbol ?? ''
    const written = { id, symbol, created_at: createdAt, gap: createdAt - before }
    const rating = toDemoRating(draw, lastSaid[pair] ?? 0, written)
    lastSaid[pair] = rating.rating
    before = createdAt
    chunk.add(rating)
    if (!chunk.full() && id < ratings) continue
    yield chunk.take()
    chunks += 1
    if (chunks % CHUNKS_BEFORE_A_PAUSE === 0) await setImmediate()
  }
}
