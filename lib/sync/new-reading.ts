import type { Upstream } from '#lib/upstream/upstream.ts'
import { createPageObserver, type OnEvent, type PageObserver } from './discovery-observer.ts'
import type { KeptDiscovery } from './discovery-store.ts'
import { createPageReader } from './page-reader.ts'
import type { Rest } from './rest.ts'
import type { SyncArchive } from './sync.ts'
import type { NewReading } from './sync-follow.ts'
import type { SyncStatus } from './sync-status.ts'

export type ReadingDeps = {
  archive: SyncArchive
  upstream: Upstream
  now: () => number
  status: SyncStatus
  rest: Rest
  discovery: KeptDiscovery
  eventLog: { append: OnEvent }
}

/**
 * Makes readings of pages. `forPeople`: the first page that is read next is charged to them; what has to be read behind
 * it would have been read anyway. `sentForPeople` gives how many were.
 */
export type Readings = {
  /** Told of every page that is read. */
  observer: PageObserver
  newReading: NewReading
  forPeople(isForPeople: boolean): void
  sentForPeople(): number
}

export function createReadings(deps: ReadingDeps): Readings {
  const { archive, upstream, now, status, rest, discovery, eventLog } = deps
  const observer = createPageObserver({ discovery, upstream, now, onEvent: eventLog.append })
  let isForPeople = false
  let sent = 0
  /** For one page. */
  const toPurpose = () => {
    const purpose = isForPeople ? { purpose: 'people' as const } : {}
    if (isForPeople) sent += 1
    isForPeople = false
    return purpose
  }
  const charged: Upstream = {
    ...upstream,
    fetchPage: (page, options) => upstream.fetchPage(page, { ...toPurpose(), ...options }),
    fetchPageIfChanged: (page, held, options) =>
      upstream.fetchPageIfChanged(page, held, { ...toPurpose(), ...options }),
  }
  return {
    observer,
    newReading(signal) {
      const pause = async (seconds: number, reason: string) => {
        const { state, progress } = status.read()
        const at = now() + seconds
        status.set({ state: 'waiting', reason, next_at: at })
        await rest.until(at, { signal, earliest: null })
        status.set({ state, progress, reason: null, next_at: null })
      }
      const reader = createPageReader({ upstream: charged, signal, pause, observer })
      const onProgress = status.progress
      return { reader, reading: { archive, ...reader.reading(), now, signal, onProgress } }
    },
    forPeople(next) {
      isForPeople = next
    },
    sentForPeople: () => sent,
  }
}
