import type { Discovery, StepProgress } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import { isBudgetSpent } from '#lib/sync/failure-memory.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import type { SyncStatus } from '#lib/sync/sync-status.ts'
import { NO_VALIDATORS } from '#lib/upstream/answer-headers.ts'
import type {
  CallOptions,
  Purpose,
  ServicePage,
  Upstream,
  Validators,
} from '#lib/upstream/upstream.ts'
import {
  createPageObserver,
  type KeptDiscovery,
  type OnEvent,
  type PageObserver,
} from './discovery.ts'
import { findFirstPage } from './first-page.ts'
import { type PageOrder, toIds, toPageKey } from './page-order.ts'

/** What reading pages takes. */
export type ReadPages = {
  archive: SyncArchive
  /** Pages count from 1, whatever the service calls its first. */
  readPage: (page: number) => Promise<ServicePage>
  /** Page 1; null where it is still what these validators name. Without it, it is always sent. */
  readIfChanged?: (held: Validators) => Promise<ServicePage | null>
  /** Seconds since 1970. */
  now: () => number
  signal: AbortSignal
  onProgress: (progress: StepProgress) => void
  /** What was known of the order before; too short a page says nothing. */
  order?: PageOrder | null
  onPastEnd?: (kind: PastEnd) => void
  /** Pages that could not be read by an earlier run; told of those that still cannot. */
  holes?: readonly number[]
  onHoles?: (numbers: readonly number[]) => Promise<void>
}

export type FollowOptions = ReadPages & {
  /**
   * The instant up to which the archive has no gap; 0 where it is not known to have none. A page that is held in full
   * ends the reading only where it reaches behind it: an earlier follow that was broken off may have left newer rows
   * with a gap under them.
   */
  gaplessTo: number
  /** How often page 1 may be read again for what came in the meantime. */
  rereads: number
  /** Whether what was read before a failure is committed. */
  keepPart: boolean
  /** Whether the last rows of a page being held is enough, without a page more that is held in full. */
  sparing?: boolean
  /** Page 1 as it was when nothing was missing. */
  unchanged?: Validators | null
}

/** A limit that lifts this soon is waited for in place: the pages read so far are still the newest. */
const PATIENCE_SECONDS = 90

export type PageReader = {
  /** What reads pages, and what is known of the service that they come from. */
  reading(): Omit<ReadPages, 'archive' | 'now' | 'signal' | 'onProgress'>
  /** Finds out again which page is the first; throws AppError. */
  findFirstPage(): Promise<void>
  /** Requests that were sent. */
  requests(): number
}

/** One reading of pages, and the reader behind it, which counts. */
export type NewReading = (signal: AbortSignal) => { reading: ReadPages; reader: PageReader }

type ReaderDeps = {
  archive: Pick<SyncArchive, 'state'>
  upstream: Upstream
  signal: AbortSignal
  /** Waits so many seconds, and says why. */
  pause: (seconds: number, reason: string) => Promise<void>
  /** Told of each page that comes. */
  observer?: PageObserver
  /** Whose share the next page is charged to; the follow's where it is not given. */
  payer?: Payer
}

/**
 * Reads pages within the limits of the key: told to wait for a minute or so, it waits and goes on. Pages count from 1. While it
 * is unknown whether the service counts from 0, that is found out before the first page is given.
 */
export function createPageReader(deps: ReaderDeps): PageReader {
  const { archive, upstream, observer } = deps
  const { ask, requests } = createAsking(deps)
  let isSought = false
  const isFromZero = () => observer?.found().first_page === 0

  const fetchPage = (address: number) => ask((options) => upstream.fetchPage(address, options))
  const toAddress = (page: number) => (isFromZero() ? page - 1 : page)
  const isUnknown = () => !isSought && observer?.found().first_page === null
  const findFirst = async (one: ServicePage | null) => {
    const isLonger = ({ rows }: ServicePage) => archive.state().ratings > rows.length
    const { number, page } = await findFirstPage({ read: fetchPage, one, isLonger })
    isSought = true
    if (number !== null) await observer?.note({ first_page: number })
    return page
  }
  /** A service that had a page 0 and refuses it may count from 1 by now. */
  const orForget = async <T>(page: number, work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      const isRefused = error instanceof AppError && error.fault === 'upstream_contract'
      if (isRefused && page === 1 && isFromZero()) await observer?.note({ first_page: null })
      throw error
    }
  }
  const readPage = async (page: number) => {
    const first = isUnknown() ? await findFirst(null) : null
    const came = first && page === 1 ? first : await orForget(page, fetchPage(toAddress(page)))
    const read = { ...came, page }
    await observer?.see(read)
    return read
  }
  const readIfChanged = async (held: Validators) => {
    if (isUnknown()) return await readPage(1)
    const address = toAddress(1)
    const asked = ask((options) => upstream.fetchPageIfChanged(address, held, options))
    const came = await orForget(1, asked)
    const read = came && { ...came, page: 1 }
    if (read) await observer?.see(read)
    else await observer?.confirm()
    return read
  }
  return {
    reading: () => ({
      readPage,
      readIfChanged,
      order: observer?.found().order ?? null,
      onPastEnd: (kind) => void observer?.note({ past_end: kind }).catch(() => undefined),
      holes: observer?.holes() ?? [],
      onHoles: async (numbers) => await observer?.keepHoles(numbers),
    }),
    async findFirstPage() {
      await findFirst(isFromZero() ? null : (observer?.firstPage() ?? null))
    },
    requests,
  }
}

/** Sends requests, charges and counts them. */
function createAsking({ signal, pause, payer }: ReaderDeps) {
  let requests = 0
  const ask = async <T>(send: (options: CallOptions) => Promise<T>): Promise<T> => {
    for (;;) {
      signal.throwIfAborted()
      const purpose = payer?.take() ?? 'follow'
      try {
        const answer = await send({ signal, purpose })
        requests += 1
        return answer
      } catch (error) {
        if (!isBudgetSpent(error)) {
          requests += 1
          throw error
        }
        payer?.giveBack(purpose)
        const seconds = error.retryAfterSeconds
        if (seconds === undefined || seconds > PATIENCE_SECONDS) throw error
        await pause(Math.max(1, seconds), error.message)
      }
    }
  }
  return { ask, requests: () => requests }
}

/** One page of a follow that people asked for is charged to them: what is read behind it would have been read anyway. */
type Payer = {
  /** Charges the page that is asked for now. */
  take(): Purpose
  /** It was not sent: the next page is charged in its place. */
  giveBack(purpose: Purpose): void
}

function createPayer() {
  let isForPeople = false
  let sent = 0
  return {
    forPeople(next: boolean) {
      isForPeople = next
    },
    sentForPeople: () => sent,
    take(): Purpose {
      if (!isForPeople) return 'follow'
      isForPeople = false
      sent += 1
      return 'people'
    },
    giveBack(purpose: Purpose) {
      if (purpose !== 'people') return
      isForPeople = true
      sent -= 1
    },
  }
}

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
 * Makes readings of pages. `forPeople`: the page that is read next is charged to them. `sentForPeople` gives how many
 * were.
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
  const payer = createPayer()
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
      const reader = createPageReader({ archive, upstream, signal, pause, observer, payer })
      const onProgress = status.progress
      return { reader, reading: { archive, ...reader.reading(), now, signal, onProgress } }
    },
    forPeople: payer.forPeople,
    sentForPeople: payer.sentForPeople,
  }
}

/** A page without rows is the end only if so many after it are empty too. */
const EMPTY_AFTER = 2
/** So many pages in a row with nothing that was not read before: the list goes round in a circle. */
const STALE_PAGES = 3
/** Ids that are remembered for that: bounds memory. */
const SEEN_MAX = 500_000

export type PastEnd = NonNullable<Discovery['past_end']>

/** A page with rows, by its number in the list; null behind the last. */
export type Step = { page: ServicePage; number: number } | null

export type Walk = {
  next(): Promise<Step>
  /** Pages without rows that are followed by pages with rows, and stayed so when they were read again. */
  holes(): readonly number[]
  /** Whether the list went on with pages that had been read before. */
  isCircle(): boolean
}

export type WalkOptions = {
  readPage: (number: number) => Promise<ServicePage>
  /** Page `from` where it has been read already. */
  first: ServicePage | null
  from: number
  /** Page 1, as it was read before. */
  head: ServicePage
  onPastEnd?: (kind: PastEnd) => void
}

/**
 * Reads page after page to the end of the list, however the service marks it: an empty page, a 404, an error, or pages
 * that came before. An empty page with others behind it is read again, then passed over. A page that came before is none
 * where new rows pushed it on: then page 1 has moved. Throws AppError where the service fails altogether.
 */
export function createWalk(options: WalkOptions): Walk {
  const { readPage, from, onPastEnd = () => undefined } = options
  const isCircle = createCircleCheck(options)
  const holes: number[] = []
  let number = from - 1
  let circled = false

  /** Behind a page without rows. */
  const pass = async (nothing: Nothing): Promise<Step> => {
    for (let ahead = 1; ahead <= EMPTY_AFTER; ahead += 1) {
      const page = await readOrNothing(readPage, number + ahead)
      if (!isPage(page)) continue
      const again = await readOrNothing(readPage, number)
      if (isPage(again)) return { page: again, number }
      for (let hole = 0; hole < ahead; hole += 1) holes.push(number + hole)
      number += ahead
      return { page, number }
    }
    // Where nothing answers any more, this is not the end of the list but of the service.
    if (nothing.error) await readPage(1).catch(() => Promise.reject(nothing.error))
    onPastEnd(nothing.kind)
    return null
  }
  return {
    async next() {
      number += 1
      const given = number === from ? options.first : null
      const came = given ?? (await readOrNothing(readPage, number))
      const step = isPage(came) ? { page: came, number } : await pass(came)
      if (step === null || !(await isCircle(step.page))) return step
      circled = true
      onPastEnd('repeats')
      return null
    },
    holes: () => holes,
    isCircle: () => circled,
  }
}

type Nothing = { kind: PastEnd; error: AppError | null }

const isPage = (came: ServicePage | Nothing): came is ServicePage => 'rows' in came

/** A page with rows, or how the service says that there is none. */
export async function readOrNothing(
  readPage: (number: number) => Promise<ServicePage>,
  number: number,
): Promise<ServicePage | Nothing> {
  try {
    const page = await readPage(number)
    if (page.rows.length > 0) return page
    return { kind: page.isNotFound ? 'not_found' : 'empty', error: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.fault !== 'upstream_contract') throw error
    if (number === 1) throw error
    return { kind: 'error', error }
  }
}

/** A page, without rows where there is none. */
export async function readOrEmpty(
  readPage: (number: number) => Promise<ServicePage>,
  number: number,
): Promise<ServicePage> {
  const came = await readOrNothing(readPage, number)
  return isPage(came) ? came : { ...EMPTY, page: number }
}

const EMPTY: ServicePage = {
  page: 1,
  rows: [],
  data: [],
  isNotFound: false,
  validators: NO_VALIDATORS,
}

function createCircleCheck({ readPage, head }: WalkOptions) {
  const seen = new Set<number>()
  let headKey = toPageKey(head)
  let before = ''
  let stale = 0
  return async (page: ServicePage): Promise<boolean> => {
    const key = toPageKey(page)
    const ids = toIds(page)
    const isStale = ids.length > 0 && ids.every((id) => seen.has(id))
    if (seen.size > SEEN_MAX) seen.clear()
    for (const id of ids) seen.add(id)
    stale = isStale ? stale + 1 : 0
    const isSuspect = key === before || stale >= STALE_PAGES
    before = key
    if (!isSuspect) return false
    const moved = toPageKey(await readPage(1))
    const stands = moved === headKey
    headKey = moved
    // What moved page 1 may also be why this page came again: only those after it count.
    if (!stands) before = ''
    if (!stands) stale = 0
    return stands
  }
}
