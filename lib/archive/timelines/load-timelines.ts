import { sql } from 'kysely'
import { runSweep } from '#lib/async/sweep.ts'
import {
  buildTimeline,
  pickRatings,
  type RatingChunk,
  type Spelling,
  type Timeline,
} from '#lib/timeline/timeline.ts'
import type { UserTimeline, UserTimelineRow } from '#lib/timeline/user.ts'
import type { ColumnChunk } from '../engine/columns.ts'
import type { Engine } from '../engine/duckdb-engine.ts'

type Loading = Pick<Engine, 'read' | 'readColumns'>

export async function loadSymbolTimelines(
  engine: Loading,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Timeline>> {
  const chunks = keys.map((): RatingChunk[] => [])
  const spelled = new Set<string>()
  await engine.readColumns(
    (db) => toQuery(keys).compile(db),
    (chunk) => {
      const ratings = toRatingChunk(chunk)
      const isSpelled = chunk.numbers('is_spelled', Uint8Array)
      for (const [place, indexes] of groupByPlace(chunk.numbers('place', Int32Array))) {
        const isWhole = indexes.length === chunk.length
        chunks[place]?.push(isWhole ? ratings : pickRatings(ratings, indexes))
        if (indexes.some((index) => isSpelled[index] === 1)) spelled.add(keys[place] ?? '')
      }
    },
    signal,
  )
  const timelines = new Map<string, Timeline>()
  for (const [place, key] of keys.entries()) {
    const own = chunks[place] ?? []
    if (own.length === 0) continue
    const spellings = spelled.has(key)
      ? await selectSpellings(engine, key, signal)
      : [{ symbol: key, since: Number.NEGATIVE_INFINITY }]
    timelines.set(key, await runSweep(buildTimeline(own, spellings), signal))
  }
  return timelines
}

function groupByPlace(places: Int32Array): Map<number, number[]> {
  const groups = new Map<number, number[]>()
  for (const [index, place] of places.entries()) {
    const own = groups.get(place)
    if (own) own.push(index)
    else groups.set(place, [index])
  }
  return groups
}

/** The engine returns doubles and small integers as arrays. */
const toQuery = (keys: readonly string[]) => sql`
  select ${toPlace(keys)} as place,
    cast(id as double) as id, cast(user_id as double) as user_id, rating, action,
    cast(created_at as double) as created_at, cast(effective_until as double) as effective_until,
    cast(coalesce(expired_at, 0) as double) as expired_at,
    cast(coalesce(effective_until = vanished_at, false)
      and coalesce(effective_until <> nullif(expired_at, 0), true) as utinyint) as has_vanished,
    tally_agree, tally_disagree, prediction_value,
    cast(symbol <> symbol_key as utinyint) as is_spelled
  from rating where symbol_key in (${sql.join(keys)})`

const toPlace = (keys: readonly string[]) =>
  keys.length === 1
    ? sql`cast(0 as integer)`
    : sql`cast(case symbol_key ${sql.join(
        keys.map((key, place) => sql`when ${key} then ${sql.lit(place)}`),
        sql` `,
      )} end as integer)`

const toRatingChunk = (chunk: ColumnChunk): RatingChunk => ({
  length: chunk.length,
  id: chunk.numbers('id', Float64Array),
  user: chunk.numbers('user_id', Float64Array),
  rating: chunk.numbers('rating', Int16Array),
  action: chunk.numbers('action', Int16Array),
  created: chunk.numbers('created_at', Float64Array),
  until: chunk.numbers('effective_until', Float64Array),
  expires: chunk.numbers('expired_at', Float64Array),
  vanished: chunk.numbers('has_vanished', Uint8Array),
  agree: chunk.numbers('tally_agree', Int32Array),
  disagree: chunk.numbers('tally_disagree', Int32Array),
  units: chunk.units('prediction_value'),
})

async function selectSpellings(
  engine: Loading,
  key: string,
  signal: AbortSignal,
): Promise<Spelling[]> {
  const rows = await engine.read(
    async (db) =>
      await db
        .selectFrom('rating')
        .select((eb) => ['symbol', eb.fn.min('created_at').as('since')])
        .where('symbol_key', '=', key)
        .groupBy('symbol')
        .execute(),
    signal,
  )
  return rows
}

/** Approximate, including texts. */
const BYTES_PER_ROW = 600

export async function loadUserTimelines(
  engine: Pick<Engine, 'read'>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, UserTimeline>> {
  const timelines = new Map<string, UserTimeline>()
  for (const id of ids) {
    const rows = await selectRows(engine, Number(id), signal)
    if (rows.length === 0) continue
    timelines.set(id, { userId: Number(id), rows, bytes: rows.length * BYTES_PER_ROW })
  }
  return timelines
}

async function selectRows(
  engine: Pick<Engine, 'read'>,
  userId: number,
  signal: AbortSignal,
): Promise<UserTimelineRow[]> {
  return await engine.read(
    async (db) =>
      await db
        .selectFrom('rating')
        .innerJoin('symbol', 'symbol.symbol_key', 'rating.symbol_key')
        .select([
          'rating.id',
          'rating.symbol_key',
          'symbol.symbol',
          'rating.rating',
          'rating.rating_label',
          'rating.action',
          'rating.action_label',
          'rating.prediction',
          'rating.created_at',
          'rating.expired_at',
          'rating.effective_until',
          'rating.vanished_at',
        ])
        .where('rating.user_id', '=', userId)
        .orderBy('rating.created_at')
        .orderBy('rating.id')
        .execute(),
    signal,
  )
}
