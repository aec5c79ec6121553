import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { UserTimeline } from '#lib/timeline/user.ts'

/** A row with its texts takes about this much. */
const BYTES_PER_ROW = 600

/** All ratings of a user, oldest first. Null if there are none. */
export async function loadUserTimeline(
  engine: Pick<Engine, 'read'>,
  userId: number,
  signal: AbortSignal,
): Promise<UserTimeline | null> {
  const rows = await engine.read(
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
          'rating.tally_agree',
          'rating.tally_disagree',
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
  return rows.length === 0 ? null : { userId, rows, bytes: rows.length * BYTES_PER_ROW }
}
