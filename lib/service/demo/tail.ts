import { CHUNK_ROWS, type Database } from '../database.ts'
import { createCommunity } from './community.ts'
import { toDemoRating } from './demo-rating.ts'
import { createDemoChunk, DEMO_TABLE, DEMO_TYPES } from './demo-table.ts'
import type { HistoryOf } from './history.ts'
import { toUnit } from './random.ts'
import { tickers } from './tickers.ts'

const GAP_STREAM = 41
/** After a long rest the missed ratings come further apart, so that there are about this many at most. */
const CATCH_UP_RATINGS = 20_000

/** `tailSeconds` is the mean time between new ratings; 0: none come. */
export type TailOptions = {
  history: HistoryOf
  tailSeconds: number
  log: (line: string) => void
}

/** The ratings that go on arriving after the history. They are stored, so that a restart continues the same stream. */
export type Tail = { count(): number; catchUp(at: number): Promise<void> }

type Arrival = { id: number; createdAt: number; gap: number; pair: string }

/** Continues the history with a new rating every `tailSeconds` on average; 0: never. */
export async function createTail(database: Database, options: TailOptions): Promise<Tail> {
  const { history, tailSeconds } = options
  const community = createCommunity(history.seed, history.ratings, history.end)
  const [stored] = await database.rows(
    `SELECT count(*), coalesce(max(created_at), 0) FROM ${DEMO_TABLE}`,
  )
  let count = Number(stored?.[0])
  let lastAt = Number(stored?.[1])
  if (count <= history.ratings) lastAt = history.end
  let running: Promise<void> | null = null

  const toGap = (id: number, meanSeconds: number) =>
    Math.max(1, Math.round(-Math.log(1 - toUnit(history.seed, GAP_STREAM, id)) * meanSeconds))

  function selectArrivals(at: number, meanSeconds: number): Arrival[] {
    const arrivals: Arrival[] = []
    let before = lastAt
    while (arrivals.length < CHUNK_ROWS) {
      const id = count + arrivals.length + 1
      const gap = toGap(id, meanSeconds)
      if (before + gap > at) break
      before += gap
      const draw = community.draw(id, before)
      arrivals.push({ id, createdAt: before, gap, pair: toPair(draw.member, draw.symbol) })
    }
    return arrivals
  }

  async function append(arrivals: readonly Arrival[]): Promise<void> {
    const lastSaid = await loadLastSaid(database, arrivals)
    const chunk = createDemoChunk()
    for (const { id, createdAt, gap, pair } of arrivals) {
      const draw = community.draw(id, createdAt)
      const symbol = tickers[draw.symbol]?.symbol ?? ''
      const written = { id, symbol, created_at: createdAt, gap }
      const rating = toDemoRating(draw, lastSaid.get(pair) ?? 0, written)
      lastSaid.set(pair, rating.rating)
      chunk.add(rating)
    }
    await database.append(DEMO_TABLE, DEMO_TYPES, only(chunk.take()))
    count += arrivals.length
    lastAt = arrivals.at(-1)?.createdAt ?? lastAt
  }

  async function run(at: number): Promise<void> {
    const meanSeconds = Math.max(tailSeconds, (at - lastAt) / CATCH_UP_RATINGS)
    for (;;) {
      const arrivals = selectArrivals(at, meanSeconds)
      if (arrivals.length === 0) return
      await append(arrivals)
    }
  }

  return {
    count: () => count,
    async catchUp(at) {
      if (tailSeconds <= 0) return
      // What is there is served whether or not more could be stored.
      running ??= run(at)
        .catch((error: unknown) => options.log(`new ratings could not be stored: ${String(error)}`))
        .finally(() => {
          running = null
        })
      await running
    },
  }
}

const toPair = (member: number, symbol: number) => `(${member}, '${tickers[symbol]?.symbol ?? ''}')`

async function* only<T>(value: T): AsyncGenerator<T> {
  yield value
}

/** What each arriving member said last on the symbol. A pair is numbers and tickers of ours, never a caller's text. */
async function loadLastSaid(
  database: Database,
  arrivals: readonly Arrival[],
): Promise<Map<string, number>> {
  const pairs = [...new Set(arrivals.map(({ pair }) => pair))]
  const rows = await database.rows(
    `SELECT user_id, symbol, arg_max(rating, id) FROM ${DEMO_TABLE}
     WHERE (user_id, symbol) IN (${pairs.join(', ')}) GROUP BY user_id, symbol`,
  )
  return new Map(
    rows.map(([member, symbol, rating]) => [`(${member}, '${symbol}')`, Number(rating)]),
  )
}
