import { AppError } from '#lib/contract/faults.ts'
import type { IncomingRating, RejectedRow } from '#lib/contract/incoming-rating.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'
import { withImport } from './import-run.ts'
import type { SyncArchive } from './sync.ts'

const UNREADABLE_PAGES = 3

/** Pages on their way in: gathered in memory, so that no import stays open while the service is waited for. */
export type PageIntake = {
  /** Throws AppError where page after page holds nothing that is a rating. */
  add(page: ServicePage): void
  /** Rows gathered and not committed. */
  size(): number
  /** `completeTo` null leaves the archive's as it is. */
  commit(completeTo: number | null): Promise<void>
}

export function createPageIntake(archive: SyncArchive): PageIntake {
  let rows: IncomingRating[] = []
  let rejected: RejectedRow[] = []
  let unreadable = 0
  let name = ''
  return {
    add(page) {
      const before = rows.length
      for (const row of page.rows) {
        if (row.ok) rows.push({ rating: row.rating, extra: row.extra })
        else rejected.push({ reason: row.reason, raw: row.raw })
      }
      unreadable = rows.length === before && page.rows.length > 0 ? unreadable + 1 : 0
      name = name === '' ? String(page.page) : `${name.split('-')[0]}-${page.page}`
      if (unreadable < UNREADABLE_PAGES) return
      throw new AppError('upstream_contract', 'The service lists nothing that is a rating.')
    },
    size: () => rows.length + rejected.length,
    async commit(completeTo) {
      if (rows.length + rejected.length === 0 && completeTo === null) return
      await withImport(archive, { kind: 'pages', name }, async (run) => {
        await run.append(rows, rejected)
        return { completeTo }
      })
      rows = []
      rejected = []
      name = ''
    },
  }
}
