import { rm } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { Prices } from '#lib/archive/prices/prices.ts'
import { createQueue } from '#lib/async/serial-queue.ts'
import { createSingleFlight } from '#lib/async/single-flight.ts'
import type { Standing } from '#lib/contract/answers/users.ts'
import type { Horizon } from '#lib/contract/horizons.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { type CallSet, toKnownDay } from './calls.ts'
import { scoreFollowed } from './followed-consensus.ts'
import { type Ranked, selectUserTallies, toRanked, toStandings } from './ranked-users.ts'
import { scoreRatings } from './scoring.ts'
import { selectTally } from './tallies.ts'

type ScoresOptions = {
  engine: Engine
  /** Seconds since 1970. */
  now: () => number
  /** The database of the scores, begun anew with each process. May be `:memory:`. */
  path: string
  prices: Prices
  /** The symbol that prices are compared with; null is the mean of all. */
  benchmark: string | null
  /** Changes with ratings and prices. */
  version: () => string
}

/** Scores of ratings by prices, in a database of their own. They are made when a query first needs them. */
export type Scores = {
  /** The key of the symbol that prices are compared with; null is the mean of all. */
  benchmark: string | null
  /** Scores every rating at a horizon, unless that is done for these ratings and prices. */
  score(horizon: Horizon, signal?: AbortSignal): Promise<void>
  /** The same of every symbol's consensus at each month's end. */
  scoreMonths(horizon: Horizon, signal?: AbortSignal): Promise<void>
  /** Runs work on the session that writes scores, in turn with scoring. */
  use<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /** How everybody ranks at a horizon and an instant, kept while ratings and prices are the same. */
  rank(db: Kysely<Tables>, set: CallSet): Promise<Everybody>
}

/** `arePricesSame`: what was worked out of them the last time still holds. */
type Work = (db: Kysely<Tables>, known: { arePricesSame: boolean }) => Promise<void>

/** Scores are made once for all queries that wait, and kept until ratings or prices change. */
export function createScores(options: ScoresOptions): Scores {
  const benchmark = options.benchmark === null ? null : toSymbolKey(options.benchmark)
  let opening: Promise<Kysely<Tables>> | null = null
  const scored = new Map<string, { version: string; prices: number }>()
  const singleFlight = createSingleFlight<void>()
  const inTurn = createQueue()
  const open = async () => {
    opening ??= openAnew(options)
    return await opening
  }
  const keep = async (what: string, signal: AbortSignal | undefined, work: Work) => {
    const version = options.version()
    if (scored.get(what)?.version === version) return
    // A caller that leaves does not end the work that another waits for.
    await singleFlight.join(`${what} ${version}`, signal, async () => {
      await inTurn(async () => {
        const before = scored.get(what)
        if (before?.version === version) return
        const { version: prices } = options.prices.state()
        // Where it fails half way, all of it is done again.
        scored.delete(what)
        await work(await open(), { arePricesSame: before?.prices === prices })
        scored.set(what, { version, prices })
      })
    })
  }
  const rankings = createRankings()
  return {
    benchmark,
    use: async (work) => await inTurn(async () => await work(await open())),
    rank: async (db, set) => await rankings.select(db, set, options.version()),
    score: async (horizon, signal) =>
      await keep(
        `${horizon}`,
        signal,
        async (db, known) => await scoreRatings(db, { horizon, benchmark }, known),
      ),
    scoreMonths: async (horizon, signal) =>
      await keep(
        `months ${horizon}`,
        signal,
        async (db, known) =>
          await scoreFollowed(db, { horizon, benchmark }, { now: options.now(), ...known }),
      ),
  }
}

async function openAnew({ engine, path, prices }: ScoresOptions): Promise<Kysely<Tables>> {
  await prices.ensure()
  if (path !== ':memory:') {
    await Promise.all([path, `${path}.wal`].map(async (file) => await rm(file, { force: true })))
  }
  return (await engine.attach({ name: 'record', path })).db
}

/** The ranked users, each user's standing in leagues, and how often all of them hit. */
export type Everybody = {
  ranked: Ranked[]
  standings: ReadonlyMap<number, Standing>
  hitRate: string | null
}

/** One list for each horizon and day. */
function createRankings() {
  let version = ''
  const lists = new Map<string, Promise<Everybody>>()
  return {
    async select(db: Kysely<Tables>, set: CallSet, now: string): Promise<Everybody> {
      if (version !== now) lists.clear()
      version = now
      const key = `${set.horizon} ${toKnownDay(set.at)}`
      const kept = lists.get(key)
      if (kept) return await kept
      if (lists.size >= LISTS_KEPT) lists.clear()
      const list = selectEverybody(db, set)
      lists.set(key, list)
      list.catch(() => lists.delete(key))
      return await list
    },
  }
}

async function selectEverybody(db: Kysely<Tables>, set: CallSet): Promise<Everybody> {
  const tallies = await selectUserTallies(db, set)
  const ranked = toRanked(tallies)
  const hitRate = (await selectTally(db, set)).hit_rate
  return { ranked, standings: toStandings(tallies, ranked), hitRate }
}

const LISTS_KEPT = 20
