import { AppError, toAppError } from '#lib/contract/faults.ts'
import { nextMonthAt } from '#lib/upstream/ledger-lines.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import type { PageObserver } from './discovery-observer.ts'
import type { KeptDiscovery } from './discovery-store.ts'
import type { NewReading } from './page-reader.ts'
import type { PastEnd } from './page-walk.ts'
import type { ReadPages } from './read-pages.ts'
import type { SyncArchive } from './sync.ts'
import type { Followed } from './sync-follow.ts'
import type { SyncStatus } from './sync-status.ts'

const DAY_SECONDS = 86_400
/** What was found out by asking is asked again after so long. */
const AGAIN_SECONDS = 30 * DAY_SECONDS
/** With no more requests a month than this, an archive that is not filled needs them all. */
const POOR = 200
/** The page of an address without number, and a page far behind the end. */
const COST = 2
const FAR_PAGES = 1_000
const HIGHEST_PAGE = 9_999_999

/** Finding out what reading alone does not show: the first page's number, and what stands behind the last page. */
export type Discovering = {
  /** When it is next due, in seconds since 1970; null: not this month. */
  dueAt(): number | null
  /** Requests that it takes. */
  cost: number
  /** Throws only when aborted. `failed`: why it could not be found out; it counts as asked all the same. */
  discover(signal: AbortSignal): Promise<Followed & { failed?: string }>
}

export function createDiscovering(deps: {
  archive: SyncArchive
  upstream: Upstream
  discovery: KeptDiscovery
  observer: PageObserver
  newReading: NewReading
  status: Pick<SyncStatus, 'enter'>
  now: () => number
}): Discovering {
  const { archive, upstream, discovery, observer, newReading, status, now } = deps

  const readPastEnd = async (reading: ReadPages): Promise<PastEnd> => {
    const size = Math.max(1, discovery.read().page_size ?? 1)
    const far = Math.ceil(archive.state().ratings / size) * 2 + FAR_PAGES
    try {
      const page = await reading.readPage(Math.min(HIGHEST_PAGE, far))
      if (page.rows.length > 0) return 'repeats'
      return page.isNotFound ? 'not_found' : 'empty'
    } catch (error) {
      if (error instanceof AppError && error.fault === 'upstream_contract') return 'error'
      throw error
    }
  }
  return {
    cost: COST,
    dueAt() {
      const { limit, used } = upstream.budget().month
      const { asked_at: askedAt } = discovery.notes()
      const { completeTo } = archive.state()
      // A clock that was set back does not put it off.
      const due = askedAt === null ? now() : Math.min(askedAt, now()) + AGAIN_SECONDS
      if (limit === null) return due
      if (limit <= POOR && completeTo === null) return null
      const left = limit - used - upstream.budget().reserved
      return left >= COST ? due : Math.max(due, nextMonthAt(now()))
    },
    async discover(signal) {
      status.enter('following')
      const { limit } = upstream.budget().month
      await discovery.keep({ asked_at: Math.floor(now()) })
      const { reader, reading } = newReading(signal)
      const tell = (done: number) =>
        reading.onProgress({ step: 'discovering', done, total: COST, unit: 'pages' })
      try {
        tell(0)
        await reader.findFirstPage()
        tell(1)
        const mayGoOn = limit === null || limit > POOR || reader.requests() < COST
        if (mayGoOn) await observer.note({ past_end: await readPastEnd(reading) })
        return { requests: reader.requests(), reason: null, rows: null }
      } catch (error) {
        if (signal.aborted) throw error
        // Not so pressing that anything else should wait for it; where requests are counted, not before next month.
        const again = Math.floor(now()) - AGAIN_SECONDS + DAY_SECONDS
        if (limit === null) await discovery.keep({ asked_at: again })
        const failed = toAppError(error).message
        return { requests: reader.requests(), reason: failed, rows: null, failed }
      }
    },
  }
}
