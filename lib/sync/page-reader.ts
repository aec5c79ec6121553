import type { Upstream, Validators } from '#lib/upstream/upstream.ts'
import { isBudgetSpent } from './budget-spent.ts'
import type { PageObserver } from './discovery-observer.ts'
import { selectFirstPage } from './page-first.ts'
import type { ReadPages } from './read-pages.ts'

/** A limit that lifts this soon is waited for in place: the pages read so far are still the newest. */
const PATIENCE_SECONDS = 90

export type PageReader = {
  /** What reads pages, and what is known of the service that they come from. */
  reading(): Omit<ReadPages, 'archive' | 'now' | 'signal' | 'onProgress'>
  /** Finds out which page is the first; throws AppError. */
  findFirstPage(): Promise<void>
  /** Requests that were sent. */
  requests(): number
}

/** One reading of pages, and the reader behind it, which counts. */
export type NewReading = (signal: AbortSignal) => { reading: ReadPages; reader: PageReader }

type ReaderDeps = {
  upstream: Upstream
  signal: AbortSignal
  /** Waits so many seconds, and says why. */
  pause: (seconds: number, reason: string) => Promise<void>
  /** Told of each page that comes. */
  observer?: PageObserver
}

/**
 * Reads pages within the limits of the key: told to wait for a minute or so, it waits and goes on. Pages count from 1,
 * whatever the service calls its first one: where it numbers from 0, its page 1 is the second.
 */
export function createPageReader(deps: ReaderDeps): PageReader {
  const { upstream, signal, observer } = deps
  const ask = createAsking(deps)
  const options = { signal }
  const isFromZero = () => observer?.found().first_page === 0

  const fetchPage = async (address: number | 'default') =>
    await ask.one(async () => await upstream.fetchPage(address, options))
  const readPage = async (page: number) => {
    const address = !isFromZero() ? page : page === 1 ? 'default' : page - 1
    const read = { ...(await fetchPage(address)), page }
    await observer?.see(read)
    return read
  }
  const readIfChanged = async (held: Validators) => {
    if (isFromZero()) return await readPage(1)
    const read = await ask.one(async () => await upstream.fetchPageIfChanged(1, held, options))
    if (read) await observer?.see(read)
    else await observer?.confirm()
    return read
  }
  const findFirstPage = async () => {
    if (!observer) return
    const first = (isFromZero() ? null : observer.firstPage()) ?? (await fetchPage(1))
    const number = await selectFirstPage(first, fetchPage)
    await observer.note({ first_page: number })
  }
  return {
    reading: () => ({
      readPage,
      readIfChanged,
      order: observer?.found().order ?? null,
      onPastEnd: (kind) => void observer?.note({ past_end: kind }).catch(() => undefined),
      findFirstPage: async () => {
        if (observer?.found().first_page !== null) return false
        await findFirstPage()
        return isFromZero()
      },
      holes: observer?.holes() ?? [],
      onHoles: async (numbers) => await observer?.keepHoles(numbers),
    }),
    findFirstPage,
    requests: ask.requests,
  }
}

function createAsking({ signal, pause }: ReaderDeps) {
  let requests = 0
  return {
    requests: () => requests,
    async one<T>(send: () => Promise<T>): Promise<T> {
      for (;;) {
        signal.throwIfAborted()
        try {
          const answer = await send()
          requests += 1
          return answer
        } catch (error) {
          if (!isBudgetSpent(error)) {
            requests += 1
            throw error
          }
          const seconds = error.retryAfterSeconds
          if (seconds === undefined || seconds > PATIENCE_SECONDS) throw error
          await pause(Math.max(1, seconds), error.message)
        }
      }
    },
  }
}
