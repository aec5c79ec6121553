import type { Discovery, SyncRun } from '#lib/contract/answers/status.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import type { SyncStatus } from '#lib/sync/sync-status.ts'
import { nextMonthAt } from '#lib/upstream/ledger.ts'
import type { Upstream, Validators } from '#lib/upstream/upstream.ts'
import { createPageSweeps } from './all-pages.ts'
import type { KeptDiscovery, PageObserver } from './discovery.ts'
import { type FollowOutcome, followFromEnd, followPages, type ListEnd } from './newest-pages.ts'
import { addRows } from './page-intake.ts'
import type { NewReading, PastEnd, ReadPages } from './page-reader.ts'

/** How often page 1 is read again for what came meanwhile. */
const REREADS = 5
/** Of so many follows one reads more than it must: a service may say that nothing changed when something did. */
const THOROUGH_EVERY = 20
const NOT_JOINED = 'Not every new rating could be read: the rest arrive with the weekly dump.'

/** `reason`: a sentence where what was read does not make the archive complete. `rows`: what it changed. */
type Followed = { requests: number; reason: string | null; rows: SyncRun['rows'] }

export type Following = {
  /** `sparing` where requests are scarce: page 1 is then read once. Throws AppError. */
  follow(signal: AbortSignal, sparing: boolean): Promise<Followed>
}

export type FollowingDeps = {
  archive: SyncArchive
  status: SyncStatus
  newReading: NewReading
  discovery: KeptDiscovery
  upstream: Pick<Upstream, 'budget'>
  /** Seconds since 1970. */
  now: () => number
}

type Read = Pick<FollowOutcome, 'order' | 'readAt' | 'rows'> & { reason?: string | null }

/**
 * The step of a sync that reads the newest pages, from whichever end of the list they are at. With nothing new it is one
 * request, which is not even answered in full where page 1 names its version. A list without an order is read in full
 * once a day, where requests are not counted by the month. After a restart it begins with page 1.
 */
export function createFollowing(deps: FollowingDeps): Following {
  const { archive, status, upstream } = deps
  const sweeps = createPageSweeps(deps)
  /** What the follow before found, as long as it is true. */
  let order: Discovery['order'] = null
  let unchanged: Validators | null = null
  let end: { pageSize: number; lastEnd: ListEnd | null } = { pageSize: 1, lastEnd: null }
  let follows = 0

  const readFirst = async (common: Common, sparing: boolean): Promise<Read> => {
    const held = common.thorough ? null : unchanged
    unchanged = null
    const how = { rereads: sparing ? 0 : REREADS, sparing, unchanged: held, keepPart: true }
    const first = await followPages({ ...common, ...how })
    order = first.order
    unchanged = areConclusive(first.validators, first.readAt) ? first.validators : null
    end = { pageSize: first.pageSize, lastEnd: null }
    if (order === 'none') sweeps.noteLook()
    return first
  }
  const readEnd = async (common: Common): Promise<Read> => {
    const { readAt, rows, end: lastEnd } = await followFromEnd({ ...common, ...end })
    end = { ...end, lastEnd }
    if (readAt === null) order = null
    return { order: 'oldest', readAt, rows }
  }
  const read = async (reading: ReadPages, sparing: boolean): Promise<Read> => {
    const thorough = follows % THOROUGH_EVERY === THOROUGH_EVERY - 1
    follows += 1
    const gaplessTo = archive.state().completeTo ?? 0
    const common = { ...toServiceTime(reading, upstream), gaplessTo, thorough }
    const isFirst = order !== 'oldest' && (order !== 'none' || sweeps.isLookDue(sparing))
    const first = isFirst ? await readFirst(common, sparing) : null
    if (first?.order === 'newest') return first
    const rest = order === 'none' ? await sweeps.read(reading, sparing) : await readEnd(common)
    return {
      ...rest,
      rows:
        first?.rows && rest.rows
          ? addRows(first.rows, rest.rows)
          : (rest.rows ?? first?.rows ?? null),
    }
  }
  return {
    async follow(signal, sparing) {
      status.enter('following')
      const { reading, reader } = deps.newReading(signal)
      const startedAt = deps.now()
      const { readAt, rows, reason = null } = await read(reading, sparing)
      if (readAt !== null) status.set({ checked_at: startedAt })
      const said = reason ?? (readAt === null ? NOT_JOINED : null)
      return { requests: reader.requests(), reason: said, rows }
    },
  }
}

type Common = ReadPages & { gaplessTo: number; thorough: boolean }

/** Ratings are stamped by the service's clock: where it is behind ours, what was read is complete up to its time. */
function toServiceTime(reading: ReadPages, upstream: Pick<Upstream, 'budget'>): ReadPages {
  const now = () => reading.now() + Math.min(0, upstream.budget().clockSkewSeconds ?? 0)
  return { ...reading, now }
}

/** A time of change is in whole seconds: a page may change twice within one. */
const CONCLUSIVE_AFTER_SECONDS = 60

/**
 * Whether a page that names these again is the same page. A time of change says so only where it was long past when the
 * page was read, at `readAt` (seconds since 1970; null: what was read proved nothing).
 */
export function areConclusive(validators: Validators | null, readAt: number | null): boolean {
  if (validators === null || readAt === null) return false
  if (validators.etag !== null) return true
  const changedAt = Date.parse(validators.lastModified ?? '') / 1000
  return Number.isFinite(changedAt) && readAt - changedAt >= CONCLUSIVE_AFTER_SECONDS
}

const DAY_SECONDS = 86_400
/** What was found out by asking is asked again after so long. */
const AGAIN_SECONDS = 30 * DAY_SECONDS
/** With no more requests a month than this, an archive that is not filled needs them all. */
const POOR = 200
/** Page 0, and a page far behind the end. */
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
