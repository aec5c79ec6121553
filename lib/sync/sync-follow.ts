import type { Discovery } from '#lib/contract/answers/discovery.ts'
import type { SyncRun } from '#lib/contract/answers/sync-runs.ts'
import type { Upstream, Validators } from '#lib/upstream/upstream.ts'
import type { KeptDiscovery } from './discovery-store.ts'
import { followFromEnd, type ListEnd } from './follow-from-end.ts'
import { type FollowOutcome, followPages } from './follow-pages.ts'
import { isFirm } from './page-firm.ts'
import { addRows } from './page-intake.ts'
import type { NewReading } from './page-reader.ts'
import { createPageSweeps } from './page-sweeps.ts'
import type { ReadPages } from './read-pages.ts'
import type { SyncArchive } from './sync.ts'
import type { SyncStatus } from './sync-status.ts'

/** How often page 1 is read again for what came meanwhile. */
const REREADS = 5
/** Of so many follows one reads more than it must: a service may say that nothing changed when something did. */
const THOROUGH_EVERY = 20
const NOT_JOINED = 'Not every new rating could be read: the rest arrive with the weekly dump.'

/** `reason`: a sentence where what was read does not make the archive complete. `rows`: what it changed. */
export type Followed = { requests: number; reason: string | null; rows: SyncRun['rows'] }

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
    unchanged = isFirm(first.validators, first.readAt) ? first.validators : null
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
