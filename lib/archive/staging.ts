import type { IncomingRating, RejectedRow } from '#lib/contract/incoming-rating.ts'
import type { CsvImport } from './archive.ts'
import { appendRatings, appendRejected, type StagedRejection } from './bulk-append.ts'
import type { Session } from './duckdb-session.ts'
import { createStaging, dropStaging } from './migrations.ts'
import { QUARANTINE_CHARACTERS, QUARANTINE_ROWS } from './quarantine.ts'
import { readRejectedId } from './rejected-id.ts'
import { adoptKeys, type StagedCsv, stageCsv } from './stage-csv.ts'

/** Where a run's rows wait, seen by no reader and gone with the process. */
export type Staging = {
  append(rows: readonly IncomingRating[], rejected: readonly RejectedRow[]): Promise<void>
  /** Takes a file as a whole, unread by us; false, and nothing is staged, where that is not certain to be the same. */
  appendCsv(file: CsvImport): Promise<boolean>
  /** The file that was taken: its keys are staged, its ratings wait in it. */
  csv(): StagedCsv | null
  /** How many rejected rows came beyond what a quarantine keeps: they are counted, and their ids remembered. */
  overflow(): number
  /** Throws everything away. */
  discard(): Promise<void>
}

export async function openStaging(session: Session): Promise<Staging> {
  const { db, connection } = session
  await createStaging(db)
  const ratings = await connection.createAppender('incoming', 'main', 'temp')
  const rejections = await connection.createAppender('incoming_rejected', 'main', 'temp')
  const limited = createLimit()
  let size = 0
  let csv: StagedCsv | null = null
  return {
    async append(rows, rejected) {
      if (csv) throw new Error('the import run holds a file already')
      await appendRatings(ratings, rows, size)
      await appendRejected(rejections, rejected.map(limited.take))
      size += rows.length
    },
    async appendCsv(file) {
      if (csv || size > 0 || limited.taken() > 0) return false
      csv = await stageCsv(session, file)
      if (!csv) return false
      ratings.closeSync()
      await adoptKeys(db)
      return true
    },
    csv: () => csv,
    overflow: limited.overflow,
    async discard() {
      if (!csv) ratings.closeSync()
      rejections.closeSync()
      await dropStaging(db)
    },
  }
}

/** A service that sends nothing but rubbish must fill neither memory nor disk with it. */
function createLimit() {
  let [rows, characters, overflow] = [0, 0, 0]
  return {
    taken: () => rows,
    overflow: () => overflow,
    take({ reason, raw }: RejectedRow): StagedRejection {
      rows += 1
      characters += reason.length + raw.length
      const isKept = rows <= QUARANTINE_ROWS && characters <= QUARANTINE_CHARACTERS
      if (!isKept) overflow += 1
      return { reason: isKept ? reason : '', raw: isKept ? raw : null, id: readRejectedId(raw) }
    },
  }
}
