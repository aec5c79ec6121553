import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { distanceInNanos } from '#lib/archive/query/consensus.ts'
import { selectFingerprint } from '#lib/archive/query/fingerprint.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import { JUDGED_LEAST, LATER_DAYS, PEERS_LEAST } from '#lib/contract/answers/limits.ts'
import type { Closeness } from '#lib/contract/answers/users.ts'
import type { ComparedQuery } from '#lib/contract/lists/users.ts'
import { DAY_SECONDS } from '#lib/timeline/buckets.ts'
import { OTHERS_MIN, toMeanDistance } from '#lib/timeline/others.ts'

const LATER_SECONDS = LATER_DAYS * DAY_SECONDS

/** `old`: old enough; `n`: judged; `nanos`: summed distance in billionths. */
type Distance = { old: number; n: number; nanos: bigint }

type Distances = ReadonlyMap<number, Distance>

export type ClosenessReader = Pick<ArchiveReader, 'read' | 'version' | 'keptValues'>

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
  return await keptValues.load('distances', fingerprint, () =>
    reader.read((db) => selectDistances(db, day)),
  )
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

/** Ratings begun minus ended, without the user's own. */
async function selectDistances(db: Kysely<Tables>, day: number): Promise<Distances> {
  const others = {
    count: sql<number>`(standing.size - case when own.id is null then 0 else 1 end)`,
    sum: sql<number>`(standing.total - coalesce(own.rating, 0))`,
  }
  const { rows } = await sql<{ user_id: number; old: number; n: number; nanos: string }>`
    with lived as materialized (
      select id, user_id, symbol_key, rating, created_at, effective_until
      from rating where created_at <= ${sql.lit(day)} and effective_until > created_at
    ),
    steps as (
      select symbol_key, created_at as t, 1 as size, rating as total from lived
      union all
      select symbol_key, effective_until, -1, -rating from lived where effective_until <= ${sql.lit(day)}
    ),
    standing as (
      select symbol_key, t, sum(sum(size)) over past as size, sum(sum(total)) over past as total
      from steps group by symbol_key, t window past as (partition by symbol_key order by t)
    ),
    judged as (
      select user_id, symbol_key, rating, created_at + ${sql.lit(LATER_SECONDS)} as later
      from rating where created_at <= ${sql.lit(day - LATER_SECONDS)}
    ),
    apart as (
      select judged.user_id, abs(${distanceInNanos(sql.ref('judged.rating'), others)}) as nanos
      from judged
      asof join standing on judged.symbol_key = standing.symbol_key and judged.later >= standing.t
      asof left join lived as latest on judged.user_id = latest.user_id
        and judged.symbol_key = latest.symbol_key and judged.later >= latest.created_at
      left join lived as own on own.id = latest.id and own.effective_until > judged.later
      where ${others.count} >= ${sql.lit(OTHERS_MIN)}
    ),
    near as (select user_id, count(*) as n, sum(nanos) as nanos from apart group by user_id)
    select user_id, old, coalesce(n, 0) as n, cast(coalesce(nanos, 0) as text) as nanos
    from (select user_id, count(*) as old from judged group by user_id)
    left join near using (user_id)`.execute(db)
  return new Map(
    rows.map(({ user_id, nanos, ...one }) => [user_id, { ...one, nanos: BigInt(nanos) }]),
  )
}

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
