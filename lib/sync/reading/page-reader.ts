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

export type ReadPages = {
  archive: SyncArchive
  /** Pages count from 1, whatever the service uses. */
  readPage: (page: number) => Promise<ServicePage>
  /** Null if unchanged. */
  readIfChanged?: (held: Validators) => Promise<ServicePage | null>
  /** Unix seconds. */
  now: () => number
  signal: AbortSignal
  onProgress: (progress: StepProgress) => void
  order?: PageOrder | null
  onPastEnd?: (kind: PastEnd) => void
  holes?: readonly number[]
  onHoles?: (numbers: readonly number[]) => Promise<void>
  /** Whether an earlier follow stored the rating but broke off before it joined. */
  isUnjoined?: (id: number) => boolean
  addUnjoined?: (ids: Iterable<number>) => Promise<void>
  clearUnjoined?: () => Promise<void>
}

export type FollowOptions = ReadPages & {
  /** 0 if unknown. Held rows newer than this may have a gap below and do not end the reading. */
  gaplessTo: number
  rereads: number
  keepPart: boolean
  /** Stops at held rows at the end of a page. */
  sparing?: boolean
  unchanged?: Validators | null
}

const PATIENCE_SECONDS = 90

type PageReader = {
  reading(): Omit<ReadPages, 'archive' | 'now' | 'signal' | 'onProgress'>
  findFirstPage(): Promise<void>
  requests(): number
}

export type NewReading = (signal: AbortSignal) => { reading: ReadPages; reader: PageReader }

type ReaderDeps = {
  archive: Pick<SyncArchive, 'state'>
  upstream: Upstream
  signal: AbortSignal
  pause: (seconds: number, reason: string) => Promise<void>
  observer?: PageObserver
  payer?: Payer
}

/** Waits out short rate limits. */
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
      isUnjoined: (id) => observer?.isUnjoined(id) ?? false,
      addUnjoined: async (ids) => await observer?.addUnjoined(ids),
      clearUnjoined: async () => await observer?.clearUnjoined(),
    }),
    async findFirstPage() {
      await findFirst(isFromZero() ? null : (observer?.firstPage() ?? null))
    },
    requests,
  }
}

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

/** Charges one page of a requested follow to users: the plan would have read the rest anyway. */
type Payer = {
  take(): Purpose
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

type ReadingDeps = {
  archive: SyncArchive
  upstream: Upstream
  now: () => number
  status: SyncStatus
  wait: { until(at: number, options: { signal: AbortSignal; earliest: null }): Promise<void> }
  discovery: KeptDiscovery
  eventLog: { append: OnEvent }
}

type Readings = {
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

const EMPTY_AFTER = 2
const STALE_PAGES = 3
const SEEN_MAX = 500_000

export type PastEnd = NonNullable<Discovery['past_end']>

/** Null past the end. */
export type Step = { page: ServicePage; number: number } | null

export type Walk = {
  next(): Promise<Step>
  holes(): readonly number[]
  isCircle(): boolean
}

type WalkOptions = {
  readPage: (number: number) => Promise<ServicePage>
  first: ServicePage | null
  from: number
  head: ServicePage
  onPastEnd?: (kind: PastEnd) => void
}

/** The end is an empty page, a 404, an error, or repeated pages. Throws AppError. */
export function createWalk(options: WalkOptions): Walk {
  const { readPage, from, onPastEnd = () => undefined } = options
  const isCircle = createCircleCheck(options)
  const holes: number[] = []
  let number = from - 1
  let circled = false

  const pass = async (result: PastEndResult): Promise<Step> => {
    for (let ahead = 1; ahead <= EMPTY_AFTER; ahead += 1) {
      const page = await readOrNothing(readPage, number + ahead)
      if (!isPage(page)) continue
      const again = await readOrNothing(readPage, number)
      if (isPage(again)) return { page: again, number }
      for (let hole = 0; hole < ahead; hole += 1) holes.push(number + hole)
      number += ahead
      return { page, number }
    }
    // If page 1 fails too, the service is down.
    if (result.error) await readPage(1).catch(() => Promise.reject(result.error))
    onPastEnd(result.kind)
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

type PastEndResult = { kind: PastEnd; error: AppError | null }

const isPage = (came: ServicePage | PastEndResult): came is ServicePage => 'rows' in came

export async function readOrNothing(
  readPage: (number: number) => Promise<ServicePage>,
  number: number,
): Promise<ServicePage | PastEndResult> {
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
    // Whatever changed page 1 may explain the repeat.
    if (!stands) before = ''
    if (!stands) stale = 0
    return stands
  }
}
