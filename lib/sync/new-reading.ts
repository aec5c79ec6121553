import type { CallOptions, Upstream } from '#lib/upstream/upstream.ts'
import { isBudgetSpent } from './budget-spent.ts'
import { createPageObserver, type OnEvent, type PageObserver } from './discovery-observer.ts'
import type { KeptDiscovery } from './discovery-store.ts'
import { createPageReader, type NewReading } from './page-reader.ts'
import type { SyncArchive } from './sync.ts'
import type { SyncStatus } from './sync-status.ts'

export type ReadingDeps = {
  archive: SyncArchive
  upstream: Upstream
  now: () => number
  status: SyncStatus
  /** Waits until an instant. */
  wait: { until(at: number, options: { signal: AbortSignal; earliest: null }): Promise<void> }
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
  const { archive, upstream, now, status, wait, discovery, eventLog } = deps
  const observer = createPageObserver({ discovery, upstream, now, onEvent: eventLog.append })
  let isForPeople = false
  let sent = 0
  /** One page is charged to people: the next one too where a limit kept it from being sent. */
  const charge = async <T>(
    options: CallOptions | undefined,
    send: (options: CallOptions | undefined) => Promise<T>,
  ): Promise<T> => {
    if (!isForPeople) return await send(options)
    isForPeople = false
    sent += 1
    try {
      return await send({ purpose: 'people', ...options })
    } catch (error) {
      if (isBudgetSpent(error)) {
        isForPeople = true
        sent -= 1
      }
      throw error
    }
  }
  const charged: Upstream = {
    ...upstream,
    fetchPage: async (page, options) =>
      await charge(options, async (how) => await upstream.fetchPage(page, how)),
    fetchPageIfChanged: async (page, held, options) =>
      await charge(options, async (how) => await upstream.fetchPageIfChanged(page, held, how)),
  }
  return {
    observer,
    newReading(signal) {
      const pause = async (seconds: number, reason: string) => {
        const { state, progress } = status.read()
        const at = now() + seconds
        status.set({ state: 'waiting', reason, next_at: at })
        await wait.until(at, { signal, earliest: null })
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
