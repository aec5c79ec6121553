import { sql } from 'kysely'
import type { IncomingRating, RejectedRow } from '#lib/contract/incoming-rating.ts'
import { appendRatings, appendRejected } from './bulk-append.ts'
import type { Session } from './duckdb-session.ts'
import { createStaging, dropStaging } from './migrations.ts'

/** Where a run's rows wait, seen by no query of a reader. */
export type Staging = {
  append(rows: readonly IncomingRating[], rejected: readonly RejectedRow[]): Promise<void>
  /** How many rows wait. */
  size(): number
  /** Ends appending; the rows are then there for the merge. */
  seal(): Promise<void>
  /** Throws away what waits. */
  discard(): Promise<void>
}

/** Rows of one transaction: two of the engine's row groups, which then go to the file compressed, past the log. */
const TRANSACTION_ROWS = 2 * 122_880

/** Opens empty staging. Until it is sealed or discarded the session is in a transaction of its own. */
export async function openStaging({ db, connection }: Session): Promise<Staging> {
  await createStaging(db)
  const ratings = await connection.createAppender('incoming')
  const rejections = await connection.createAppender('incoming_rejected')
  let size = 0
  let uncommitted: number | null = null
  const finish = async (how: 'commit' | 'rollback') => {
    if (uncommitted === null) return
    uncommitted = null
    await sql`${sql.raw(how)}`.execute(db)
  }
  return {
    async append(rows, rejected) {
      if (uncommitted === null) await sql`begin transaction`.execute(db)
      uncommitted = (uncommitted ?? 0) + rows.length
      await appendRatings(ratings, rows, size)
      await appendRejected(rejections, rejected)
      size += rows.length
      if (uncommitted >= TRANSACTION_ROWS) await finish('commit')
    },
    size: () => size,
    async seal() {
      ratings.closeSync()
      rejections.closeSync()
      await finish('commit')
    },
    async discard() {
      ratings.clear()
      rejections.clear()
      await finish('rollback')
      await dropStaging(db)
    },
  }
}
