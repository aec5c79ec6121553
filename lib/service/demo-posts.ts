import { setImmediate } from 'node:timers/promises'
import {
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  TINYINT,
  UINTEGER,
  VARCHAR,
} from '@duckdb/node-api'
import { ACTION_LABELS, RATING_LABELS } from '#lib/contract/rating-fields.ts'
import {
  createCalendar,
  createCommunity,
  createRandom,
  DEMO_START,
  type DemoRating,
  demoSymbols,
  toDemoRating,
  toUnit,
} from './demo-community.ts'
import {
  CROWDED_SYMBOLS,
  type DemoClose,
  drawDemoCloses,
  TALENT_CALLS,
  TALENT_CALLS_MIN,
  TALENTS,
  type TalentedCall,
} from './demo-prices.ts'
import {
  CHUNK_ROWS,
  type Database,
  loadPage,
  type Posts,
  quoteText,
  writeCsv,
  writePostsDump,
} from './posts.ts'

export async function makeDemo(database: Database, history: HistoryOf): Promise<void> {
  await database.run(CREATE_DEMO_TABLE)
  await database.append(DEMO_TABLE, DEMO_TYPES, createHistory(history))
  await database.run('CHECKPOINT')
}

export async function openDemo(database: Database, options: TailOptions): Promise<Posts> {
  const tail = await createTail(database, options)
  return {
    page: (number, at) => loadPage(database, demoRatingsAt(at), { number, count: tail.count() }),
    catchUp: tail.catchUp,
    async writeDump(kind, at, path) {
      if (kind === 'posts') {
        return await writePostsDump(database, demoRatingsAt(at), { at, path })
      }
      return await writeCsv(database, demoLookupsBefore(at, options.history.seed), path)
    },
    invented: {
      async *closes(at) {
        await tail.catchUp(at)
        yield* drawCloses(database, options.history, at)
      },
      talents: async () => await selectTalents(database, options.history),
    },
    freeze: database.freeze,
    close: () => database.close(),
  }
}

async function* drawCloses(
  database: Database,
  { seed, ...history }: HistoryOf,
  at: number,
): AsyncGenerator<DemoClose[]> {
  const talents = await selectTalents(database, { seed, ...history })
  const calls = await loadTalentedCalls(database, talents)
  yield* drawDemoCloses({ seed, calls, lastDay: Math.floor(at / DAY_SECONDS) - 1 })
}

const DAY_SECONDS = 86_400

const IS_TALENTED_CALL = `rating <> 3 AND symbol NOT IN (${[...CROWDED_SYMBOLS].map(quoteText).join(', ')})`

async function selectTalents(database: Database, { ratings }: HistoryOf): Promise<number[]> {
  const rows = await database.rows(
    `SELECT user_id FROM ${DEMO_TABLE} WHERE id <= ${ratings} AND ${IS_TALENTED_CALL}
     GROUP BY user_id HAVING count(*) >= ${TALENT_CALLS_MIN}
     ORDER BY abs(count(*) - ${TALENT_CALLS}), user_id LIMIT ${TALENTS}`,
  )
  return rows.map(([user]) => Number(user))
}

async function loadTalentedCalls(
  database: Database,
  talents: readonly number[],
): Promise<TalentedCall[]> {
  if (talents.length === 0) return []
  const rows = await database.rows(
    `SELECT symbol, created_at // ${DAY_SECONDS}, sign(rating - 3) FROM ${DEMO_TABLE}
     WHERE user_id IN (${talents.join(', ')}) AND ${IS_TALENTED_CALL} ORDER BY id`,
  )
  return rows.map(([symbol, day, side]) => ({
    symbol: String(symbol),
    day: Number(day),
    side: Number(side),
  }))
}

const JITTER_STREAM = 31
const CHUNKS_BEFORE_A_PAUSE = 2

/** `end`: seconds since 1970, exclusive. */
type HistoryOf = { seed: number; ratings: number; end: number }

/** Keeps one byte per user and symbol: the last rating. */
async function* createHistory({ seed, ratings, end }: HistoryOf): AsyncGenerator<DuckDBValue[][]> {
  const community = createCommunity(seed, ratings, end)
  const calendar = createCalendar(seed, end)
  const jitter = createRandom(seed, JITTER_STREAM)
  const lastSaid = new Uint8Array((community.users + 1) * community.symbols)
  const chunk = createDemoChunk()
  let before = DEMO_START
  let chunks = 0
  for (let id = 1; id <= ratings; id += 1) {
    const createdAt = calendar.toInstant((id - 1 + jitter.next()) / ratings)
    const draw = community.draw(id, createdAt)
    const pair = draw.user * community.symbols + draw.symbol
    const symbol = demoSymbols[draw.symbol]?.symbol ?? ''
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

const GAP_STREAM = 41
const CATCH_UP_RATINGS = 20_000

/** `tailSeconds`: mean time between new ratings; 0 disables them. */
type TailOptions = {
  history: HistoryOf
  tailSeconds: number
  log: (line: string) => void
}

/** Stored, so that a restart continues the same stream. */
type Tail = { count(): number; catchUp(at: number): Promise<void> }

type Arrival = { id: number; createdAt: number; gap: number; pair: string }

async function createTail(database: Database, options: TailOptions): Promise<Tail> {
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
      arrivals.push({ id, createdAt: before, gap, pair: toPair(draw.user, draw.symbol) })
    }
    return arrivals
  }

  async function append(arrivals: readonly Arrival[]): Promise<void> {
    const lastSaid = await loadLastSaid(database, arrivals)
    const chunk = createDemoChunk()
    for (const { id, createdAt, gap, pair } of arrivals) {
      const draw = community.draw(id, createdAt)
      const symbol = demoSymbols[draw.symbol]?.symbol ?? ''
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
      // Stored ratings are served even if new ones cannot be stored.
      running ??= run(at)
        .catch((error: unknown) => options.log(`new ratings could not be stored: ${String(error)}`))
        .finally(() => {
          running = null
        })
      await running
    },
  }
}

const toPair = (user: number, symbol: number) => `(${user}, '${demoSymbols[symbol]?.symbol ?? ''}')`

async function* only<T>(value: T): AsyncGenerator<T> {
  yield value
}

/** Pairs are built from internal numbers and symbols, so they need no binding. */
async function loadLastSaid(
  database: Database,
  arrivals: readonly Arrival[],
): Promise<Map<string, number>> {
  const pairs = [...new Set(arrivals.map(({ pair }) => pair))]
  const rows = await database.rows(
    `SELECT user_id, symbol, arg_max(rating, id) FROM ${DEMO_TABLE}
     WHERE (user_id, symbol) IN (${pairs.join(', ')}) GROUP BY user_id, symbol`,
  )
  return new Map(rows.map(([user, symbol, rating]) => [`(${user}, '${symbol}')`, Number(rating)]))
}

type Column = { type: DuckDBType; sql: string }

const whole = { type: INTEGER, sql: 'INTEGER NOT NULL' }
const small = { type: TINYINT, sql: 'TINYINT NOT NULL' }
const instant = { type: UINTEGER, sql: 'UINTEGER NOT NULL' }

const COLUMNS: Record<keyof DemoRating, Column> = {
  id: whole,
  user_id: whole,
  symbol: { type: VARCHAR, sql: 'VARCHAR NOT NULL' },
  rating: small,
  action: small,
  prediction_cents: whole,
  created_at: instant,
  gap: instant,
  expires_at: instant,
  ended_at: instant,
  agree: whole,
  disagree: whole,
  comments: whole,
  settle_seconds: instant,
}

const FIELDS = [
  'id',
  'user_id',
  'symbol',
  'rating',
  'action',
  'prediction_cents',
  'created_at',
  'gap',
  'expires_at',
  'ended_at',
  'agree',
  'disagree',
  'comments',
  'settle_seconds',
] as const satisfies readonly (keyof DemoRating)[]

const DEMO_TABLE = 'demo_ratings'
const DEMO_TYPES: readonly DuckDBType[] = FIELDS.map((field) => COLUMNS[field].type)

/** Insertion order by id lets zone maps find a range of ids. */
const CREATE_DEMO_TABLE = `CREATE TABLE ${DEMO_TABLE} (${FIELDS.map(
  (field) => `${field} ${COLUMNS[field].sql}`,
).join(', ')})`

type DemoChunk = { add(rating: DemoRating): void; full(): boolean; take(): DuckDBValue[][] }

function createDemoChunk(): DemoChunk {
  let columns: DuckDBValue[][] = FIELDS.map(() => [])
  return {
    add(rating) {
      for (let index = 0; index < FIELDS.length; index += 1) {
        const field = FIELDS[index]
        if (field) columns[index]?.push(rating[field])
      }
    },
    full: () => (columns[0]?.length ?? 0) >= CHUNK_ROWS,
    take() {
      const taken = columns
      columns = FIELDS.map(() => [])
      return taken
    },
  }
}

const labels = (column: string, texts: Readonly<Record<number, string>>) =>
  `CASE ${column} ${Object.entries(texts)
    .map(([code, text]) => `WHEN ${code} THEN '${text}'`)
    .join(' ')} END`

const dateText = (seconds: string) =>
  `CAST(make_timestamp(CAST(${seconds} AS BIGINT) * 1000000) AS VARCHAR)`

const tally = (votes: string) =>
  `CAST((${votes} * age * (2 * settle - age)) // (settle * settle) AS INTEGER)`

const demoRatingsAt = (at: number): string => `
  SELECT position, id, user_id, symbol,
    rating, ${labels('rating', RATING_LABELS)} AS rating_label,
    action, ${labels('action', ACTION_LABELS)} AS action_label,
    CAST(CAST(prediction_cents AS DECIMAL(12, 0)) * CAST(0.01 AS DECIMAL(3, 2)) AS VARCHAR) AS prediction,
    ${tally('agree')} AS tally_agree, ${tally('disagree')} AS tally_disagree,
    ${tally('comments')} AS tally_comment,
    created_at, ${dateText('created_at')} AS created_at_date,
    expired_at, ${dateText('expired_at')} AS expired_at_date
  FROM (
    SELECT *, id AS position, CAST(settle_seconds AS BIGINT) AS settle,
      least(greatest(${at}::BIGINT - created_at, 0), settle_seconds) AS age,
      CASE WHEN ended_at <= ${at} THEN ended_at ELSE expires_at END AS expired_at
    FROM ${DEMO_TABLE}
  )`

const SLACK_ROOMS = 40
const ROOMS = 64

const toUnitSql = (seed: number, stream: number): string => {
  const first = `((CAST(id AS UBIGINT) * 2654435761 + ${(seed >>> 0) + stream * 7919}) % 4294967296)`
  return `(((xor(${first}, ${first} >> 15) * 2246822519) % 4294967296) / 4294967296.0)`
}

/** `at`: seconds. Two look-ups per rating, derived from the ratings. */
const demoLookupsBefore = (at: number, seed: number): string => `
  WITH drawn AS (
    SELECT id, symbol, created_at, gap, unnest([1, 2]) AS nth,
      ${toUnitSql(seed, 1)} AS u1, ${toUnitSql(seed, 2)} AS u2, ${toUnitSql(seed, 3)} AS u3,
      1 + CAST(floor(pow(${toUnitSql(seed, 4)}, 3) * ${demoSymbols.length}) AS INTEGER) AS other
    FROM ${DEMO_TABLE} WHERE created_at - gap < ${at}
  ), placed AS (
    SELECT 2 * CAST(id AS BIGINT) - 2 + nth AS id, symbol, other, nth,
      1 + CAST(floor((CASE nth WHEN 1 THEN u3 ELSE u1 END) * ${ROOMS}) AS INTEGER) AS room_id,
      CAST(created_at - gap + floor(
        gap * (CASE nth WHEN 1 THEN least(u1, u2) ELSE greatest(u1, u2) END)) AS BIGINT) AS created_at
    FROM drawn
  )
  SELECT id,
    CASE WHEN nth = 1 OR [${demoSymbols.map(({ listedAt }) => listedAt).join(',')}][other] > created_at
      THEN symbol ELSE [${demoSymbols.map(({ symbol }) => quoteText(symbol)).join(',')}][other] END AS symbol,
    CASE WHEN room_id <= ${SLACK_ROOMS} THEN 'slack' ELSE 'discord' END AS source,
    room_id, created_at, CAST(make_timestamp(created_at * 1000000) AS VARCHAR) AS created_at_date
  FROM placed WHERE created_at < ${at}`
