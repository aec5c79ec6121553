import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { UserTimeline, UserTimelineRow } from '#lib/timeline/user.ts'

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
