import type { ImportOutcome } from '#lib/archive/archive.ts'
import type { SyncRun } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { IncomingRating, RejectedRow } from '#lib/contract/rating.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'

const UNREADABLE_ROWS = 5
const EVIDENCE_ROWS = 20

export type RunRows = NonNullable<SyncRun['rows']>

export type IntakeMark = { rows: number; rejected: number }

/** In memory, so that no transaction waits for the service. The last read row wins. */
export type PageIntake = {
  /**
   * Quarantines invalid rows. Throws AppError `upstream_contract` if they are the majority; valid
   * rows are still added.
   */
  add(page: ServicePage): void
  size(): number
  mark(): IntakeMark
  cut(mark: IntakeMark): void
  /** Null leaves the archive's value unchanged. */
  commit(completeTo: number | null): Promise<void>
  changed(): RunRows | null
}

export function createPageIntake(archive: Pick<SyncArchive, 'import'>): PageIntake {
  let rows: IncomingRating[] = []
  let rejected: RejectedRow[] = []
  let name = ''
  let changed: RunRows | null = null

  const gather = ({ rating, extra }: IncomingRating) => {
    rows.push({ rating, extra })
  }
  return {
    add(page) {
      const bad = page.rows.flatMap((row) => (row.ok ? [] : [row]))
      const isNoPage = bad.length >= UNREADABLE_ROWS && bad.length * 2 > page.rows.length
      for (const row of page.rows) if (row.ok) gather(row)
      for (const { reason, raw } of isNoPage ? bad.slice(0, EVIDENCE_ROWS) : bad) {
        rejected.push({ reason, raw })
      }
      name = name === '' ? String(page.page) : `${name.split('-')[0]}-${page.page}`
      if (!isNoPage) return
      throw new AppError(
        'upstream_contract',
        'More than half of the rows on a page of the service are not ratings.',
      )
    },
    size: () => rows.length + rejected.length,
    mark: () => ({ rows: rows.length, rejected: rejected.length }),
    cut(mark) {
      rows = rows.slice(0, mark.rows)
      rejected = rejected.slice(0, mark.rejected)
    },
    async commit(completeTo) {
      if (rows.length + rejected.length === 0 && completeTo === null) return
      const outcome = await archive.import({ kind: 'pages', name }, async (run) => {
        await run.append(rows, rejected)
        return { completeTo }
      })
      changed = addRows(changed, outcome)
      rows = []
      rejected = []
      name = ''
    },
    changed: () => changed,
  }
}

export const addRows = (
  sum: RunRows | null,
  { inserted, updated, vanished, quarantined }: Omit<ImportOutcome, 'generation'> | RunRows,
): RunRows => ({
  inserted: (sum?.inserted ?? 0) + inserted,
  updated: (sum?.updated ?? 0) + updated,
  vanished: (sum?.vanished ?? 0) + vanished,
  quarantined: (sum?.quarantined ?? 0) + quarantined,
})
