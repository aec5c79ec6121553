import { rm } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { createQueue } from '#lib/async/serial-queue.ts'
import { createSingleFlight } from '#lib/async/single-flight.ts'
import { RANKED_LEAST } from '#lib/contract/answers/limits.ts'
import type { Calibration, Luck } from '#lib/contract/answers/track.ts'
import type { Standing } from '#lib/contract/answers/users.ts'
import { HORIZONS, type Horizon, toHorizon } from '#lib/contract/horizons.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { coinTail, toWilson } from '#lib/statistics/chance.ts'
import { DAY_SECONDS } from '#lib/timeline/buckets.ts'
import type { Engine } from '../engine/duckdb-engine.ts'
import type { Session } from '../engine/duckdb-session.ts'
import type { Tables } from '../engine/tables.ts'
import type { Prices } from '../prices/prices.ts'
import { type AllCalls, loadCalls } from './call-columns.ts'
import { writeCallTable } from './call-table.ts'
import { loadMarket, type Market, toKnownDay } from './market.ts'
import {
  type Survey,
  type SurveyChoice,
  surveyBriefly,
  surveyCalls,
  type Totals,
} from './survey.ts'
import { toCalibration, toDecimal, toRates } from './tallies.ts'

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

export type Ranked = Pick<Totals, 'clusters' | 'hits'> & { userId: number; low: number }

/** By `low`, then more clusters, then lower id. */
const toRanked = (totals: ReadonlyMap<number, Totals>): Ranked[] =>
  [...totals]
    .filter(([, { clusters }]) => clusters >= RANKED_LEAST)
    .map(([userId, { clusters, hits }]) => ({
      userId,
      clusters,
      hits,
      low: toExact(toWilson(hits, clusters)?.low ?? 0),
    }))
    .sort((a, b) => b.low - a.low || b.clusters - a.clusters || a.userId - b.userId)

export const toStanding = (totals: Totals | undefined, rank: number | undefined): Standing =>
  totals && totals.clusters > 0 ? { ...toRates(totals), rank: rank ?? null } : NO_STANDING

const NO_STANDING: Standing = {
  clusters: 0,
  hit_rate: null,
  hit_low: null,
  hit_high: null,
  rank: null,
  excess: null,
  excess_low: null,
  excess_high: null,
}

/** Summation order must not affect ties. */
const toExact = (low: number) => Number(low.toFixed(9))

const beatsCoin = (hits: number, clusters: number) =>
  Number(toDecimal(toWilson(hits, clusters)?.low) ?? 0) > 0.5

/** Ids of users whose whole interval is above a coin's half. */
const toProven = (ranked: readonly Ranked[]): ReadonlySet<number> =>
  new Set(
    ranked.filter(({ hits, clusters }) => beatsCoin(hits, clusters)).map(({ userId }) => userId),
  )

export function toLuck(ranked: readonly Ranked[]): Luck {
  const expected = toDecimal(ranked.reduce((sum, { clusters }) => sum + toChance(clusters), 0))
  return {
    ranked: ranked.length,
    beat: toProven(ranked).size,
    expected: expected ?? '0.000000',
    worse: ranked.filter(({ hits, clusters }) => beatsCoin(clusters - hits, clusters)).length,
    expected_worse: expected ?? '0.000000',
  }
}

const chances = new Map<number, number>()

function toChance(clusters: number): number {
  const known = chances.get(clusters)
  if (known !== undefined) return known
  let [low, high] = [0, clusters + 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (beatsCoin(middle, clusters)) high = middle
    else low = middle + 1
  }
  const chance = coinTail(low, clusters)
  chances.set(clusters, chance)
  return chance
}
