import type { ImportOutcome } from '#lib/archive/archive.ts'
import type { SyncRun } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { IncomingRating, RejectedRow } from '#lib/contract/rating.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'

/** A page of which more than half, and at least so many rows, are no ratings is no page of ratings. */
const UNREADABLE_ROWS = 5
/** Of such a page, what is kept as evidence. */
const EVIDENCE_ROWS = 20

export type RunRows = NonNullable<SyncRun['rows']>

/** How far the intake stands. */
export type IntakeMark = { rows: number; rejected: number }

/**
 * Pages on their way in: gathered in memory, so that no import stays open while the service is waited for. Of an id that
 * comes twice the row that was read last counts: it is the newer one.
 */
export type PageIntake = {
  /**
   * Rows that are no ratings go into quarantine. Throws AppError `upstream_contract` where they are more than half of a
   * page; what of it can be read is gathered all the same.
   */
  add(page: ServicePage): void
  /** Rows gathered and not committed. */
  size(): number
  mark(): IntakeMark
  /** Takes back what was gathered since, and not committed. */
  cut(mark: IntakeMark): void
  /** `completeTo` null leaves the archive's as it is. */
  commit(completeTo: number | null): Promise<void>
  /** What all commits changed; null where there was none. */
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
        'More than half of what the service lists on a page is not a rating.',
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
