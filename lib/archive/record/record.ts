import { rm } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { ArchiveState, CallSet, ReadOptions, Records, Rows } from '#lib/archive/archive.ts'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ExportFolder } from '#lib/archive/export-file.ts'
import type { Prices } from '#lib/archive/prices/prices.ts'
import type { Call, CommunityRecord, Priced, Track } from '#lib/contract/answers/track.ts'
import type { Standing } from '#lib/contract/answers/users.ts'
import { HORIZONS, type Horizon } from '#lib/contract/horizons.ts'
import { createInFlight } from '#lib/contract/in-flight.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { ratingLabel, toSymbolKey } from '#lib/contract/rating-fields.ts'
import { createQueue } from '#lib/contract/serial-queue.ts'
import { callOrder, selectCalls, selectSet, toKnownDay } from './calls.ts'
import { openCalls } from './calls-export.ts'
import { scoreFollowed, selectFollowedConsensus } from './followed-consensus.ts'
import {
  NO_STANDING,
  type Ranked,
  selectUserTallies,
  toCoinShare,
  toLuck,
  toRanked,
  toStandings,
} from './ranked-users.ts'
import { scoreRatings } from './scoring.ts'
import { createSymbolPrices } from './symbol-prices.ts'
import { NO_TALLY, selectCalibration, selectTallies, selectTally, toDecimal } from './tallies.ts'

type RecordsOptions = {
  engine: Engine
  exportFolder: ExportFolder
  state: () => ArchiveState
  /** Seconds since 1970. */
  now: () => number
  /** Where what is worked out lies meanwhile; what an earlier process left there goes. May be `:memory:`. */
  path: string
  prices: Prices
  /** The symbol that prices are compared with; null is the mean of all. */
  benchmark: string | null
  /** Another text for other ratings or prices. */
  version: () => string
}

/** Calls are scored when they are first asked for, once for all who wait, and kept until ratings or prices are others. */
export function createRecords(options: RecordsOptions): Records {
  const { engine } = options
  const benchmark = options.benchmark === null ? null : toSymbolKey(options.benchmark)
  const { score, scoreMonths, inTurn, open } = createScores(options, benchmark)
  const read = async <T>(
    horizons: readonly Horizon[],
    { signal }: ReadOptions,
    work: (db: Kysely<Tables>) => Promise<T>,
  ): Promise<T> => {
    for (const horizon of horizons) await score(horizon, signal)
    return await engine.read(work, signal)
  }
  const known = createRankings()
  const priced = (): Priced => toPriced(options.prices, benchmark)
  const isPriced = () => options.prices.state().prices > 0
  const unpriced = createUnpriced(engine, priced)
  return {
    selectTrack: async (asked, at) => {
      if (!isPriced()) return await unpriced.selectTrack(asked, at)
      const { userId, horizon } = asked
      const set = { horizon, at: at.at, users: [userId] }
      return await read([horizon], at, async (db) => {
        const everybody = await known.select(db, { horizon, at: at.at }, options.version())
        return await selectTrack(db, { userId, ...set }, { everybody, prices: priced() })
      })
    },
    selectStandings: async (horizon, at) => {
      if (!isPriced()) return null
      return await read([horizon], at, async (db) => {
        const { ranked, standings } = await known.select(
          db,
          { horizon, at: at.at },
          options.version(),
        )
        return { ranked: ranked.length, of: (userId) => standings.get(userId) ?? NO_STANDING }
      })
    },
    priced,
    selectCommunity: async (horizon, at) => {
      if (!isPriced()) return await unpriced.selectCommunity(horizon, at)
      const set = { horizon, at: at.at }
      await scoreMonths(horizon, at.signal)
      return await read(HORIZONS, at, async (db) => {
        const everybody = await known.select(db, set, options.version())
        return await selectCommunity(db, set, { everybody, prices: priced() })
      })
    },
    selectCalls: async ({ page, perPage, ...asked }, at) =>
      await read(
        [asked.horizon],
        at,
        async (db) => await selectCallsPage(db, { ...asked, at: at.at }, { page, perPage }),
      ),
    openCalls: async (asked, at) => {
      await score(asked.horizon, at.signal)
      return await openCalls(options, { ...asked, at: at.at }, at.signal)
    },
    ...createSymbolPrices({ ...options, benchmark, inTurn, open, priced }),
  }
}

/** `arePricesSame`: what was worked out of them the last time still holds. */
type Work = (db: Kysely<Tables>, known: { arePricesSame: boolean }) => Promise<void>

/** What is scored already, and by which ratings and prices. */
function createScores(options: RecordsOptions, benchmark: string | null) {
  let opening: Promise<Kysely<Tables>> | null = null
  const scored = new Map<string, { version: string; prices: number }>()
  const inFlight = createInFlight<void>()
  const inTurn = createQueue()
  const open = async () => {
    opening ??= openAnew(options)
    return await opening
  }
  const keep = async (what: string, signal: AbortSignal | undefined, work: Work) => {
    const version = options.version()
    if (scored.get(what)?.version === version) return
    // Who leaves does not break off what the next one needs.
    await inFlight.join(`${what} ${version}`, signal, async () => {
      await inTurn(async () => {
        const before = scored.get(what)
        if (before?.version === version) return
        const { version: prices } = options.prices.state()
        // Where it fails half way, nothing that is there is believed the next time.
        scored.delete(what)
        await work(await open(), { arePricesSame: before?.prices === prices })
        scored.set(what, { version, prices })
      })
    })
  }
  return {
    ...{ inTurn, open },
    score: async (horizon: Horizon, signal?: AbortSignal) =>
      await keep(
        `${horizon}`,
        signal,
        async (db, known) => await scoreRatings(db, { horizon, benchmark }, known),
      ),
    /** The same of every symbol's consensus at each month's end. */
    scoreMonths: async (horizon: Horizon, signal?: AbortSignal) =>
      await keep(
        `months ${horizon}`,
        signal,
        async (db, known) =>
          await scoreFollowed(db, { horizon, benchmark }, { now: options.now(), ...known }),
      ),
  }
}

async function selectCallsPage(
  db: Kysely<Tables>,
  set: CallSet,
  { page, perPage }: { page: number; perPage: number },
): Promise<Rows<Call>> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${selectSet(set)} as calls`.execute(db)
  const offset = (page - 1) * perPage
  const listed = sql`(
    select *, row_number() over (order by ${callOrder(set.sort)}) as place
    from ${selectSet(set)} as calls
    order by place limit ${sql.lit(perPage)} offset ${sql.lit(offset)})`
  return { rows: await selectCalls(db, listed), total: rows[0]?.total ?? 0 }
}

async function openAnew({ engine, path, prices }: RecordsOptions): Promise<Kysely<Tables>> {
  await prices.ensure()
  if (path !== ':memory:') {
    await Promise.all([path, `${path}.wal`].map(async (file) => await rm(file, { force: true })))
  }
  return (await engine.attach({ name: 'record', path })).db
}

/** Without any price nothing has to be scored to know that nothing was. */
function createUnpriced(
  engine: Engine,
  priced: () => Priced,
): Pick<Records, 'selectTrack' | 'selectCommunity'> {
  const count = async (userId: number | null, { at, signal }: ReadOptions) =>
    await engine.read(async (db) => await countRatings(db, userId, at), signal)
  const toNothing = ({ calls }: RatingCount) => ({
    ...{ ...NO_TALLY, calls, no_price: calls },
    calibration: { calls: 0, zero: 0, error: null, slope: null, groups: [] },
    prices: priced(),
  })
  return {
    selectTrack: async ({ userId, horizon }, at) => {
      const counted = await count(userId, at)
      if (counted.calls === 0) return null
      const beside = { rank: null, ranked: 0, luck: null, everybody: null }
      return { horizon, ...toNothing(counted), ...beside }
    },
    selectCommunity: async (horizon, at) => {
      const counted = await count(null, at)
      const parts = { by_label: [], by_horizon: [], by_year: [], luck: toLuck([]) }
      const followed = { ...NO_TALLY, symbols: 0, months: 0, buy: NO_TALLY, sell: NO_TALLY }
      return { horizon, ...toNothing(counted), ...parts, followed, users: counted.users }
    },
  }
}

type RatingCount = { calls: number; users: number }

/** Of one user, or of everybody. */
async function countRatings(
  db: Kysely<Tables>,
  userId: number | null,
  at: number,
): Promise<RatingCount> {
  return await db
    .selectFrom('rating')
    .select((eb) => [
      eb.fn.countAll<number>().as('calls'),
      eb.fn.count<number>('user_id').distinct().as('users'),
    ])
    .where('created_at', '<=', at)
    .$if(userId !== null, (found) => found.where('user_id', '=', userId))
    .executeTakeFirstOrThrow()
}

/** What is known of everybody: who is ranked how, what leagues say of each, and how often all of them hit. */
type Everybody = {
  ranked: Ranked[]
  standings: ReadonlyMap<number, Standing>
  hitRate: string | null
}

/** Everybody's rank by horizon and day, as long as ratings and prices are the same: whoever is asked about, it is one list. */
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

function toPriced(prices: Prices, benchmark: string | null): Priced {
  const { symbols, firstDay, lastDay } = prices.state()
  const toText = (day: number | null) =>
    day === null ? null : toDateText(day * DAY_SECONDS).slice(0, 10)
  return { symbols, first_day: toText(firstDay), last_day: toText(lastDay), benchmark }
}

const DAY_SECONDS = 86_400

type Beside = { everybody: Everybody; prices: Priced }

async function selectTrack(
  db: Kysely<Tables>,
  { userId, ...set }: CallSet & { userId: number },
  { everybody, prices }: Beside,
): Promise<Track | null> {
  const tally = await selectTally(db, set)
  if (tally.calls === 0) return null
  const { ranked } = everybody
  const place = ranked.findIndex((one) => one.userId === userId)
  const own = ranked[place]
  return {
    horizon: set.horizon,
    ...tally,
    rank: own ? place + 1 : null,
    ranked: ranked.length,
    luck: own ? toDecimal(toCoinShare(own)) : null,
    everybody: everybody.hitRate,
    calibration: await selectCalibration(db, set),
    prices,
  }
}

async function selectCommunity(
  db: Kysely<Tables>,
  set: CallSet,
  { everybody, prices }: Beside,
): Promise<CommunityRecord> {
  const labels = await selectTallies(db, set, { by: sql`rating`, cluster: 'label_cluster' })
  const year = sql`cast(extract(year from make_timestamp(created_at * 1000000)) as integer)`
  const years = await selectTallies(db, set, { by: year, cluster: 'cluster' })
  const own = await selectTally(db, set)
  const horizons = []
  for (const horizon of HORIZONS) {
    const isAsked = horizon === set.horizon
    horizons.push({ horizon, ...(isAsked ? own : await selectTally(db, { ...set, horizon })) })
  }
  const users = await sql<{ users: number }>`
    select count(distinct user_id) as users from ${selectSet(set)} as calls`.execute(db)
  return {
    horizon: set.horizon,
    ...own,
    by_label: labels.map(({ group, tally }) => ({
      rating: group,
      label: ratingLabel(group),
      ...tally,
    })),
    by_horizon: horizons,
    by_year: years.map(({ group, tally }) => ({ year: group, ...tally })),
    calibration: await selectCalibration(db, set),
    luck: toLuck(everybody.ranked),
    followed: await selectFollowedConsensus(db, set),
    users: users.rows[0]?.users ?? 0,
    prices,
  }
}
