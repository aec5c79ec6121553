import { type Kysely, sql } from 'kysely'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { selectFingerprint } from '#lib/archive/query/fingerprint.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import { runSweep } from '#lib/async/sweep.ts'
import { JUDGED_LEAST, LATER_DAYS, PEERS_LEAST } from '#lib/contract/answers/limits.ts'
import type { Closeness } from '#lib/contract/answers/users.ts'
import type { ComparedQuery } from '#lib/contract/lists/users.ts'
import { DAY_SECONDS } from '#lib/timeline/buckets.ts'
import { type PostedRatings, visitDistances } from '#lib/timeline/distances.ts'
import { toMeanDistance } from '#lib/timeline/others.ts'

const LATER_SECONDS = LATER_DAYS * DAY_SECONDS

/** `old`: old enough; `n`: judged; `nanos`: summed distance in billionths. */
type Distance = { old: number; n: number; nanos: bigint }

type Distances = ReadonlyMap<number, Distance>

export type ClosenessReader = Pick<
  ArchiveReader,
  'read' | 'openSnapshot' | 'version' | 'keptValues'
>

/** As of the start of the day (UTC). Cached: scans every rating. */
async function loadDistances(
  reader: ClosenessReader,
  { at }: Pick<ReadOptions, 'at'>,
): Promise<Distances> {
  const { keptValues } = reader
  const day = at - (at % DAY_SECONDS)
  const fingerprint = await keptValues.load('fingerprints', `${reader.version()} ${day}`, () =>
    reader.read((db) => selectFingerprint(db, toCompared(day), day)),
  )
  return await keptValues.load('distances', fingerprint, () => sumDistances(reader, day))
}

export const selectCloseness = async (
  reader: ClosenessReader,
  userId: number,
  options: Pick<ReadOptions, 'at'>,
): Promise<Closeness> => toCloseness(await loadDistances(reader, options), userId)

/** Null if the query does not compare. */
export async function selectCompared(
  reader: ClosenessReader,
  query: ComparedQuery,
  options: Pick<ReadOptions, 'at'>,
): Promise<number[] | null> {
  const { peers_of: peersOf = null, farther_than: fartherThan = null } = query
  if (peersOf === null && fartherThan === null) return null
  const all = await loadDistances(reader, options)
  const peers = peersOf === null ? [...all] : (selectPeers(all, peersOf)?.peers ?? [])
  const left = fartherThan === null ? peers : selectFarther(peers, all.get(fartherThan))
  return left.map(([id]) => id)
}

const toCompared = (day: number) => [
  sql`id, user_id, symbol_key, rating, created_at`,
  sql`least(effective_until, ${sql.lit(day + 1)})`,
]

async function sumDistances(
  { openSnapshot }: Pick<ArchiveReader, 'openSnapshot'>,
  day: number,
): Promise<Distances> {
  const distances = new Map<number, Distance>()
  const add = (userId: number, nanos: bigint | null) => {
    const known = distances.get(userId) ?? { old: 0, n: 0, nanos: 0n }
    distances.set(userId, known)
    known.old += 1
    if (nanos === null) return
    known.n += 1
    known.nanos += nanos < 0n ? -nanos : nanos
  }
  const snapshot = await openSnapshot()
  try {
    for (const batch of toBatches(await snapshot.read(({ db }) => selectSizes(db, day)))) {
      const ratings = await snapshot.read((session) => loadPosted(session, batch, day))
      let from = 0
      for (const { size } of batch) {
        const own = sliceRatings(ratings, from, from + size)
        await runSweep(visitDistances(own, { at: day, later: LATER_SECONDS }, add))
        from += size
      }
    }
  } finally {
    await snapshot.close()
  }
  return distances
}

type SymbolSize = { symbol_key: string; size: number }

const selectSizes = async (db: Kysely<Tables>, day: number): Promise<SymbolSize[]> =>
  await db
    .selectFrom('rating')
    .select((eb) => ['symbol_key', eb.fn.countAll<number>().as('size')])
    .where('created_at', '<=', day)
    .groupBy('symbol_key')
    .orderBy('symbol_key')
    .execute()

const RATINGS_A_BATCH = 1_000_000

function toBatches(symbols: readonly SymbolSize[]): SymbolSize[][] {
  const batches: SymbolSize[][] = []
  let left = 0
  for (const symbol of symbols) {
    left -= symbol.size
    if (left < 0) {
      batches.push([])
      left = RATINGS_A_BATCH - symbol.size
    }
    batches.at(-1)?.push(symbol)
  }
  return batches
}

/** By symbol, then by `created`. */
async function loadPosted(
  session: Session,
  batch: readonly SymbolSize[],
  day: number,
): Promise<PostedRatings> {
  const size = batch.reduce((sum, one) => sum + one.size, 0)
  const ratings = {
    user: new Float64Array(size),
    rating: new Int16Array(size),
    created: new Float64Array(size),
    until: new Float64Array(size),
  }
  const query = sql`
    select cast(user_id as double) as user, rating, cast(created_at as double) as created,
      cast(effective_until as double) as until
    from rating
    where created_at <= ${sql.lit(day)}
      and symbol_key in (${sql.join(batch.map(({ symbol_key }) => symbol_key))})
    order by symbol_key, created_at`.compile(session.db)
  let from = 0
  await session.visitColumns(query, (chunk) => {
    ratings.user.set(chunk.numbers('user', Float64Array), from)
    ratings.rating.set(chunk.numbers('rating', Int16Array), from)
    ratings.created.set(chunk.numbers('created', Float64Array), from)
    ratings.until.set(chunk.numbers('until', Float64Array), from)
    from += chunk.length
  })
  return ratings
}

const sliceRatings = (
  { user, rating, created, until }: PostedRatings,
  from: number,
  to: number,
): PostedRatings => ({
  user: user.subarray(from, to),
  rating: rating.subarray(from, to),
  created: created.subarray(from, to),
  until: until.subarray(from, to),
})

const isJudged = (distance: Distance | undefined): distance is Distance =>
  distance !== undefined && distance.n >= JUDGED_LEAST

type Entries = readonly (readonly [userId: number, Distance])[]

const SIMILAR = 2

/**
 * Widens by ratio to {@link PEERS_LEAST} users, ties included. Null if the user has too few
 * ratings.
 */
export function selectPeers(all: Distances, userId: number) {
  const own = all.get(userId)
  if (!isJudged(own)) return null
  const others = [...all]
    .filter(([id, one]) => id !== userId && isJudged(one))
    .map((entry) => ({ entry, apart: toRatio(entry[1].n, own.n) }))
  const within = (reach: number) => others.filter(({ apart }) => apart <= reach)
  const similar = within(SIMILAR)
  const chosen = similar.length < PEERS_LEAST ? within(toReach(others)) : similar
  return { own, peers: chosen.map(({ entry }) => entry) }
}

function toReach(others: readonly { apart: number }[]): number {
  const ratios = others.map(({ apart }) => apart).sort((a, b) => a - b)
  return ratios[PEERS_LEAST - 1] ?? ratios.at(-1) ?? 1
}

/** Equal fractions of integers give equal floats. */
const toRatio = (a: number, b: number): number => Math.max(a, b) / Math.min(a, b)

/** Compares means without rounding. */
const selectFarther = (others: Entries, own: Distance | undefined): Entries =>
  isJudged(own)
    ? others.filter(
        ([, one]) => isJudged(one) && one.nanos * BigInt(own.n) > own.nanos * BigInt(one.n),
      )
    : []

function toCloseness(all: Distances, userId: number): Closeness {
  const compared = selectPeers(all, userId)
  const { old = 0, n = 0 } = all.get(userId) ?? {}
  if (!compared) return { old, n, mean: null, band: null }
  const { own, peers } = compared
  const numbers = peers.map(([, { n }]) => n).sort((a, b) => a - b)
  return {
    old,
    n,
    mean: toMeanDistance(own.nanos, own.n),
    band: {
      from: numbers.at(0) ?? own.n,
      to: numbers.at(-1) ?? own.n,
      users: peers.length,
      farther: selectFarther(peers, own).length,
    },
  }
}
