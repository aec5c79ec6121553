import type { IncomingRating, RejectedRow } from '#lib/contract/incoming-rating.ts'
import { appendRatings, appendRejected } from './bulk-append.ts'
import type { Session } from './duckdb-session.ts'
import { createStaging, dropStaging } from './migrations.ts'

/** Where a run's rows wait, seen by no reader and gone with the process. */
export type Staging = {
  append(rows: readonly IncomingRating[], rejected: readonly RejectedRow[]): Promise<void>
  /** How many rows wait. */
  size(): number
  /** Throws everything away. */
  discard(): Promise<void>
}

export async function openStaging({ db, connection }: Session): Promise<Staging> {
  await createStaging(db)
  const ratings = await connection.createAppender('incoming', 'main', 'temp')
  const rejections = await connection.createAppender('incoming_rejected', 'main', 'temp')
  let size = 0
  return {
    async append(rows, rejected) {
      await appendRatings(ratings, rows, size)
      await appendRejected(rejections, rejected)
      size += rows.length
    },
    size: () => size,
    async discard() {
      ratings.closeSync()
      rejections.closeSync()
      await dropStaging(db)
    },
  }
}
