import { rm } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { Prices } from '#lib/archive/prices/prices.ts'
import { createQueue } from '#lib/async/serial-queue.ts'
import { createSingleFlight } from '#lib/async/single-flight.ts'
import type { Calibration } from '#lib/contract/answers/track.ts'
import { HORIZONS, type Horizon, toHorizon } from '#lib/contract/horizons.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { DAY_SECONDS } from '#lib/timeline/buckets.ts'
import { type AllCalls, loadCalls } from './call-columns.ts'
import { writeCallTable } from './call-table.ts'
import { loadMarket, type Market, toKnownDay } from './market.ts'
import { type Ranked, toRanked } from './ranked-users.ts'
import { type Survey, type SurveyChoice, surveyBriefly, surveyCalls } from './survey.ts'
import { toCalibration } from './tallies.ts'

type ScoresOptions = {
  engine: Engine
  /** Seconds since 1970. */
  now: () => number
  /** Recreated by each process. */
  path: string
  prices: Prices
  /** Null: the mean of all symbols. */
  benchmark: string | null
  /** Changes with ratings and prices. */
  version: () => string
}

type CallArrays = AllCalls & { market: Market }

export type Scores = {
  benchmark: string | null
  load(signal?: AbortSignal): Promise<CallArrays>
  market(signal?: AbortSignal): Promise<Market>
  summarize(choice: SurveyChoice, signal?: AbortSignal): Promise<Summary>
  rank(choice: SurveyChoice, signal?: AbortSignal): Promise<Ranking>
  writeTable(horizon: Horizon, signal?: AbortSignal): Promise<void>
  /** Skips the call table, which needs 130 MB. */
  prepare(): Promise<void>
}

export type Ranking = Pick<Summary, 'users' | 'ranked'> & {
  /** From 1. */
  ranks: ReadonlyMap<number, number>
}

export type Summary = Omit<Survey, 'scored'> & {
  calibration: Calibration
  ranked: Ranked[]
}

const SUMMARIES_KEPT = 16

export function createScores(options: ScoresOptions): Scores {
  const { prices, version } = options
  const benchmark = options.benchmark === null ? null : toSymbolKey(options.benchmark)
  let opening: Promise<Session> | null = null
  const open = async () => {
    opening ??= openAnew(options)
    return await opening
  }
  // The session runs one statement at a time.
  const inTurn = createQueue()
  const market = createKept(
    () => `${prices.state().version}`,
    async () => await inTurn(async () => await loadMarket(await open(), benchmark)),
  )
  const scored = createKept(version, async () => {
    const closes = await market.load()
    const calls = await inTurn(async () => await loadCalls(await open(), closes))
    return { ...calls, market: closes, summaries: createKeptByKey<Summary>() }
  })
  const tables = new Map(
    HORIZONS.map((horizon) => [
      horizon,
      createKept(version, async () => {
        const all = await scored.load()
        await inTurn(async () => await writeCallTable(await open(), { ...all, horizon }))
      }),
    ]),
  )
  const fingerprint = createFingerprint(options)
  const rankings = createKeptByKey<Ranking>()
  const rank = async (choice: SurveyChoice, signal?: AbortSignal) => {
    const known = await fingerprint(toKnownDay(choice.at))
    const key = `${prices.state().version} ${choice.horizon} ${known}`
    if (!rankings.peek(key)) await scored.load(signal)
    return await rankings.load(key, async () => {
      const { calls, market, summaries, newest } = await scored.load()
      const summary = await summaries.peek(toKey(newest, choice))
      const { users } = summary ?? (await surveyBriefly(calls, market, choice))
      const ranked = toRanked(users)
      return { users, ranked, ranks: toRanks(ranked) }
    })
  }
  const summarizeAt = async (choice: SurveyChoice, signal?: AbortSignal) => {
    const all = await scored.load(signal)
    return await all.summaries.load(toKey(all.newest, choice), () => summarize(all, choice))
  }
  const writeTable = async (horizon: Horizon, signal?: AbortSignal) =>
    await tables.get(horizon)?.load(signal)
  return {
    benchmark,
    load: scored.load,
    market: market.load,
    summarize: summarizeAt,
    rank,
    writeTable,
    async prepare() {
      const choice = { horizon: toHorizon(undefined), at: options.now() }
      await summarizeAt(choice)
      await rank(choice)
    },
  }
}

/** Without ratings posted after `day`, whose outcomes are not known by then. */
function createFingerprint({ engine, version }: ScoresOptions) {
  const kept = createKeptByKey<string>()
  return async (day: number) =>
    await kept.load(
      `${version()} ${day}`,
      async () =>
        await engine.read(async (db) => await selectFingerprint(db, (day + 1) * DAY_SECONDS - 1)),
    )
}

/** Of ratings posted by `last`. */
async function selectFingerprint(db: Kysely<Tables>, last: number): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select concat_ws(' ', ${sql.lit(last)}, count(*),
      bit_xor(hash(id, user_id, symbol_key, rating, created_at))) as text
    from rating where created_at <= ${sql.lit(last)}`.execute(db)
  return rows[0]?.text ?? ''
}

async function openAnew({ engine, path, prices }: ScoresOptions): Promise<Session> {
  await prices.ensure()
  if (path !== ':memory:') {
    await Promise.all([path, `${path}.wal`].map(async (file) => await rm(file, { force: true })))
  }
  return await engine.attach({ name: 'record', path })
}

/** An aborted caller does not cancel work that others await. */
function createKept<T>(version: () => string, make: () => Promise<T>) {
  let kept: { version: string; value: T } | null = null
  const singleFlight = createSingleFlight<T>()
  return {
    async load(signal?: AbortSignal): Promise<T> {
      const now = version()
      if (kept?.version === now) return kept.value
      return await singleFlight.join(now, signal, async () => {
        kept = null
        const value = await make()
        kept = { version: now, value }
        return value
      })
    },
  }
}

/** Instants of one day differ only by ratings posted between them. */
const toKey = (newest: number, { horizon, at }: SurveyChoice) =>
  [horizon, toKnownDay(at), Math.min(at, newest)].join(' ')

/** Failures are not cached. */
function createKeptByKey<T>() {
  const kept = new LRUCache<string, Promise<T>>({ max: SUMMARIES_KEPT })
  return {
    peek: (key: string) => kept.get(key),
    async load(key: string, make: () => Promise<T>): Promise<T> {
      const found = kept.get(key)
      if (found) return await found
      const made = make()
      kept.set(key, made)
      made.catch(() => kept.delete(key))
      return await made
    },
  }
}

async function summarize({ calls, market }: CallArrays, choice: SurveyChoice): Promise<Summary> {
  const { scored, ...survey } = await surveyCalls(calls, market, choice)
  const ranked = toRanked(survey.users)
  const calibration = toCalibration(calls, { ...survey, scored })
  return { ...survey, calibration, ranked }
}

/** From 1. */
const toRanks = (ranked: readonly Ranked[]): ReadonlyMap<number, number> =>
  new Map(ranked.map(({ userId }, index) => [userId, index + 1]))
