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

const REREADS = 5
/** One follow in this many ignores the validators: services may report them wrongly. */
const THOROUGH_EVERY = 20
const NOT_JOINED = 'Not every new rating could be read. The rest arrive with the weekly dump.'

type Followed = { requests: number; reason: string | null; rows: SyncRun['rows'] }

export type PageFollower = {
  /** `sparing`: reads page 1 only once. Throws AppError. */
  follow(signal: AbortSignal, sparing: boolean): Promise<Followed>
}

type FollowingDeps = {
  archive: SyncArchive
  status: SyncStatus
  newReading: NewReading
  discovery: KeptDiscovery
  upstream: Pick<Upstream, 'budget'>
  now: () => number
}

type Read = Pick<FollowOutcome, 'order' | 'readAt' | 'rows'> & { reason?: string | null }

/**
 * Without news, one conditional request. An unordered list is read in full daily unless requests
 * are limited per month.
 */
export function createFollowing(deps: FollowingDeps): PageFollower {
  const { archive, status, upstream } = deps
  const sweeps = createPageSweeps(deps)
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

/** If the service's clock is behind, the archive is complete only up to its time. */
function toServiceTime(reading: ReadPages, upstream: Pick<Upstream, 'budget'>): ReadPages {
  const now = () => reading.now() + Math.min(0, upstream.budget().clockSkewSeconds ?? 0)
  return { ...reading, now }
}

/** `Last-Modified` has whole seconds: a page may change twice within one. */
const CONCLUSIVE_AFTER_SECONDS = 60

/** `readAt`: Unix seconds, null if the read proved nothing. */
function areConclusive(validators: Validators | null, readAt: number | null): boolean {
  if (validators === null || readAt === null) return false
  if (validators.etag !== null) return true
  const changedAt = Date.parse(validators.lastModified ?? '') / 1000
  return Number.isFinite(changedAt) && readAt - changedAt >= CONCLUSIVE_AFTER_SECONDS
}

const DAY_SECONDS = 86_400
const AGAIN_SECONDS = 30 * DAY_SECONDS
const POOR = 200
const COST = 2
const FAR_PAGES = 1_000
const HIGHEST_PAGE = 9_999_999

export type Discovering = {
  /** Unix seconds; null if not this month. */
  dueAt(): number | null
  cost: number
  /** Throws only if aborted. `failed` still counts as a check. */
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
        const again = Math.floor(now()) - AGAIN_SECONDS + DAY_SECONDS
        if (limit === null) await discovery.keep({ asked_at: again })
        const failed = toAppError(error).message
        return { requests: reader.requests(), reason: failed, rows: null, failed }
      }
    },
  }
}
