import type { Upstream } from '#lib/upstream/upstream.ts'
import type { KeptDiscovery } from './discovery-store.ts'
import type { FollowOutcome } from './follow-pages.ts'
import { createPageIntake } from './page-intake.ts'
import { readEveryPage } from './read-all-pages.ts'
import type { ReadPages } from './read-pages.ts'
import type { SyncArchive } from './sync.ts'

const DAY_SECONDS = 86_400
/** A reading of all pages may take so many minutes of the limit. */
const MINUTES_MAX = 240
/** A list may be longer than what is held by so many pages more than twice that: one without end holds up nothing else. */
const MORE_PAGES = 1000
/** Between two looks at page 1, whether the list is in an order by now. */
const LOOK_SECONDS = 3600

const UNORDERED =
  'The service lists its ratings in no order of time: new ones arrive with the weekly dump only.'
const SWEPT =
  'The service lists its ratings in no order of time: all pages are read once a day, and only the weekly dump shows that none is missing.'

export type PageSweeps = {
  /** Whether it is time to see what the order is by now. */
  isLookDue(sparing: boolean): boolean
  /** Page 1 was looked at. */
  noteLook(): void
  /** Reads all pages where that is due and can be paid for. It proves nothing: `readAt` is null. */
  read(
    reading: ReadPages,
    sparing: boolean,
  ): Promise<Pick<FollowOutcome, 'order' | 'readAt' | 'rows'> & { reason: string }>
}

/** What is done about a list that is in no order of time: its new ratings may stand on any page. */
export function createPageSweeps(deps: {
  archive: SyncArchive
  discovery: KeptDiscovery
  upstream: Pick<Upstream, 'budget'>
  /** Seconds since 1970. */
  now: () => number
}): PageSweeps {
  const { archive, discovery, upstream, now } = deps
  let lookedAt: number | null = null

  const selectPages = () =>
    Math.ceil(archive.state().ratings / Math.max(1, discovery.read().page_size ?? 1))
  const isPaid = () => {
    const { minute, month } = upstream.budget()
    const isShort = minute.limit === null || selectPages() <= minute.limit * MINUTES_MAX
    return month.limit === null && isShort
  }
  const isDue = () => {
    const { swept_at: sweptAt } = discovery.notes()
    return sweptAt === null || now() - sweptAt >= DAY_SECONDS || now() < sweptAt
  }
  return {
    isLookDue(sparing) {
      const seconds = sparing ? DAY_SECONDS : LOOK_SECONDS
      return lookedAt === null || Math.abs(now() - lookedAt) >= seconds
    },
    noteLook() {
      lookedAt = now()
    },
    async read(reading, sparing) {
      const unread = { order: 'none' as const, readAt: null, rows: null }
      if (sparing || !isPaid()) return { ...unread, reason: UNORDERED }
      if (!isDue()) return { ...unread, reason: SWEPT }
      const intake = createPageIntake(archive)
      try {
        await readEveryPage({ ...reading, intake }, null, 2 * selectPages() + MORE_PAGES)
      } finally {
        if (!reading.signal.aborted) await intake.commit(null)
      }
      await discovery.keep({ swept_at: Math.floor(now()) })
      return { ...unread, rows: intake.changed(), reason: SWEPT }
    },
  }
}
