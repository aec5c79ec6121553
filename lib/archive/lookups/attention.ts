import { type Expression, type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import type { Attention } from '#lib/contract/answers/lookups.ts'
import type { Bucket, SeriesQuery } from '#lib/contract/api-queries.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  type Buckets,
  chooseBuckets,
  DAY_SECONDS,
  FIRST_MONDAY,
  MONTHS,
  startOf,
  WEEK_SECONDS,
} from '#lib/timeline/buckets.ts'
import type { LookupsState } from './lookups.ts'

/** Seconds, exclusive; null if none are known. */
const toKnownTo = ({ knownTo }: LookupsState, at: number): number | null =>
  knownTo === null ? null : Math.min(knownTo, at + 1)

export async function selectAttention(
  reader: ArchiveReader,
  { symbol, query }: { symbol: string; query: SeriesQuery },
  { at, signal }: ReadOptions,
): Promise<Attention> {
  const state = reader.lookups()
  const key = toSymbolKey(symbol)
  const knownTo = toKnownTo(state, at)
  const began = state.firstCreatedAt
  if (knownTo === null || began === null || began >= knownTo) {
    const bucket = query.bucket === 'auto' ? 'day' : query.bucket
    const known = { known_from: null, known_to: knownTo === null ? null : Math.min(knownTo, at) }
    return { symbol: key, bucket, ...known, sources: [], points: [] }
  }
  const buckets = chooseBuckets(query, { began, at: knownTo - 1 })
  const span = {
    from: Math.max(query.from ?? 0, startOf(buckets.bucket, buckets.first)),
    to: Math.min(query.to ?? knownTo, knownTo),
  }
  const counted = await reader.read((db) => countBySource(db, { key, ...buckets, ...span }), signal)
  return {
    symbol: key,
    bucket: buckets.bucket,
    known_from: began,
    known_to: Math.min(knownTo, at),
    sources: [...new Set(counted.flatMap(({ source }) => source ?? []))].sort(),
    points: toPoints(buckets, counted),
  }
}

type Counted = { bucket: number; source: string | null; count: number }

async function countBySource(
  db: Kysely<Tables>,
  { key, bucket, from, to }: { key: string; bucket: Bucket; from: number; to: number },
): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select bucket, source, count
    from (
      select ${toBucketIndex(bucket, sql.ref('created_at'))} as bucket, source_no, count(*) as count
      from lookups.lookup
      where symbol_no = (select symbol_no from lookups.symbol where symbol = ${key})
        and created_at >= ${sql.lit(from)} and created_at < ${sql.lit(to)}
      group by all
    ) as counted left join lookups.source using (source_no)
    order by source`.execute(db)
  return rows
}

function toPoints({ bucket, first, last }: Buckets, counted: readonly Counted[]) {
  const byBucket = new Map<number, Counted[]>()
  for (const one of counted) byBucket.set(one.bucket, [...(byBucket.get(one.bucket) ?? []), one])
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const own = byBucket.get(first + index) ?? []
    return {
      t: startOf(bucket, first + index),
      lookups: own.reduce((sum, { count }) => sum + count, 0),
      by_source: Object.fromEntries(
        own.flatMap(({ source, count }) => (source === null ? [] : [[source, count]])),
      ),
    }
  })
}

function toBucketIndex(bucket: Bucket, instant: Expression<number>) {
  const day = sql`floor(${instant} / ${sql.lit(DAY_SECONDS)})`
  if (bucket === 'day') return sql<number>`cast(${day} as bigint)`
  if (bucket === 'week') {
    const week = sql`floor((${instant} - ${sql.lit(FIRST_MONDAY)}) / ${sql.lit(WEEK_SECONDS)})`
    return sql<number>`cast(${week} as bigint)`
  }
  const date = sql`(date '1970-01-01' + cast(${day} as integer))`
  if (bucket === 'year') return sql<number>`extract(year from ${date})`
  return sql<number>`
    cast(extract(year from ${date}) * ${sql.lit(MONTHS)} + extract(month from ${date}) - 1 as bigint)`
}
