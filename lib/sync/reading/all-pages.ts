import { AppError } from '#lib/contract/faults.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import type { ServicePage, Upstream } from '#lib/upstream/upstream.ts'
import type { KeptDiscovery } from './discovery.ts'
import { closeGaps, createGapTracker, type GapTracker } from './gap-check.ts'
import { type FollowOutcome, followPages, toResumePage } from './newest-pages.ts'
import {
  addRows,
  createPageIntake,
  type IntakeMark,
  type PageIntake,
  type RunRows,
} from './page-intake.ts'
import { type PageOrder, selectOrder, toIds, toPageKey } from './page-order.ts'
import { createWalk, type ReadPages, readOrEmpty, readOrNothing, type Walk } from './page-reader.ts'

const SEARCH_STEPS = 50
const SWEEPS = 3

/**
 * Resumes at a page with a known row. Commits slices that are proved free of gaps. Throws AppError.
 * An unordered list proves nothing: it is read until nothing new comes, three times at most.
 */
export async function readAllPages(options: ReadPages): Promise<RunRows | null> {
  const { archive, now } = options
  const startedAt = now()
  const first = await options.readPage(1)
  const order = selectOrder(first, options.order)
  const intake = createPageIntake(archive)
  const filling = { ...options, intake, first, order, pageSize: Math.max(1, first.rows.length) }
  if (order === 'none') return await readUntilStill(filling)
  await refuseHoles(filling)
  const holes = await fillSlices(filling, await selectResume(filling))
  await options.onHoles?.(holes)
  if (holes.length > 0) throw unreadable()
  if (order !== 'newest') {
    await intake.commit(startedAt)
    return intake.changed()
  }
  const follow = { ...options, gaplessTo: Number.POSITIVE_INFINITY, rereads: 5, keepPart: false }
  const { readAt, rows } = await followPages(follow)
  if (readAt === null) await intake.commit(startedAt)
  return rows ? addRows(intake.changed(), rows) : intake.changed()
}

const unreadable = () =>
  new AppError(
    'upstream_contract',
    'Some pages of the service could not be read, although later pages exist.',
  )

async function refuseHoles({ holes = [], readPage }: Filling): Promise<void> {
  const [hole] = holes
  if (hole !== undefined && !('rows' in (await readOrNothing(readPage, hole)))) throw unreadable()
}

/** Searches at the expected end, then backward (deletions), then forward (insertions). */
async function selectResume(filling: Filling): Promise<Start> {
  const { archive, first, readPage, pageSize, holes = [] } = filling
  const { ratings } = archive.state()
  const length = Math.max(1, Math.floor(ratings / pageSize))
  const from = Math.min(
    toResumePage(ratings, pageSize),
    ...holes.map((hole) => Math.max(1, hole - 1)),
  )
  const isHeld = async (page: ServicePage) => (await archive.selectKnownIds(toIds(page))).size > 0
  for (let number = from, back = 1; number > 1; number -= back, back = Math.min(back * 2, length)) {
    const page = await readOrNothing(readPage, number)
    if ('rows' in page && (await isHeld(page))) return { from: number, page, isLoose: false }
  }
  if (ratings === 0 || (await isHeld(first))) return { from: 1, page: first, isLoose: false }
  let before = ''
  for (let number = from + length; number <= from + SEARCH_STEPS * length; number += length) {
    const page = await readOrNothing(readPage, number)
    // Some services repeat their last page.
    if (!('rows' in page) || toPageKey(page) === before) break
    if (await isHeld(page)) return { from: number, page, isLoose: false }
    before = toPageKey(page)
  }
  return { from: 1, page: await readPage(1), isLoose: true }
}

async function readUntilStill(filling: Filling): Promise<RunRows | null> {
  const { intake, now } = filling
  let first: ServicePage | null = filling.first
  for (let sweeps = 1; ; sweeps += 1) {
    const startedAt = now()
    const found = await readEveryPage(filling, first)
    first = null
    const isStill = found === 0 || sweeps === SWEEPS
    await intake.commit(isStill ? startedAt : null)
    if (isStill) return intake.changed()
  }
}

async function readEveryPage(
  reading: ReadPages & { intake: PageIntake },
  first: ServicePage | null,
  pagesMax = PAGES_MAX,
): Promise<number> {
  const { archive, intake, readPage, signal, onProgress, onPastEnd } = reading
  const head = first ?? (await readPage(1))
  const walk = createWalk({ readPage, first: head, from: 1, head, onPastEnd })
  let found = 0
  for (let pages = 0; ; pages += 1) {
    signal.throwIfAborted()
    onProgress({ step: 'reading', done: pages, total: null, unit: 'pages' })
    const step = await walk.next()
    if (step === null || pages >= pagesMax) return found
    const ids = toIds(step.page)
    found += ids.length - (await archive.selectKnownIds(ids)).size
    intake.add(step.page)
    if (intake.size() >= SLICE_ROWS) await intake.commit(null)
  }
}

/** Rows per commit; bounds memory. */
const SLICE_ROWS = 5_000
const LOOSE_ROWS = 100_000
const PAGES_MAX = 1_000_000

const UNPROVED = 'The service’s list changes too quickly to be read in full. It will be retried.'

type Filling = ReadPages & {
  intake: PageIntake
  first: ServicePage
  order: PageOrder
  pageSize: number
}

/** `isLoose`: committing before a held row is met would leave a gap. */
type Start = { from: number; page: ServicePage; isLoose: boolean }

/**
 * Returns the unreadable pages. On AppError, everything before the first unproved place is still
 * committed.
 */
async function fillSlices(filling: Filling, start: Start): Promise<readonly number[]> {
  const { first, readPage, intake, signal, onPastEnd } = filling
  const walk = createWalk({ readPage, first: start.page, from: start.from, head: first, onPastEnd })
  const slice = {
    walk,
    gapTracker: createGapTracker(filling.pageSize),
    head: first,
    pages: start.from - 1,
    sound: intake.mark(),
    isLoose: start.isLoose,
  }
  try {
    for (;;) {
      const isEnd = await readSlice(filling, slice)
      if (!(await prove(filling, slice))) throw new AppError('upstream_contract', UNPROVED)
      slice.sound = intake.mark()
      await intake.commit(null)
      if (isEnd || slice.pages >= PAGES_MAX) return walk.holes()
      slice.sound = intake.mark()
      slice.gapTracker.restart()
      if (filling.order === 'newest') slice.head = await readPage(1)
    }
  } catch (error) {
    if (slice.isLoose || slice.gapTracker.gaps().length > 0) intake.cut(slice.sound)
    if (!signal.aborted) await intake.commit(null)
    throw error
  }
}

type Slice = {
  walk: Walk
  gapTracker: GapTracker
  head: ServicePage
  pages: number
  sound: IntakeMark
  isLoose: boolean
}

async function readSlice(filling: Filling, slice: Slice): Promise<boolean> {
  const { archive, intake, pageSize, signal, onProgress } = filling
  const { walk, gapTracker } = slice
  do {
    signal.throwIfAborted()
    onProgress({ step: 'reading', done: slice.pages, total: null, unit: 'pages' })
    const step = await walk.next()
    if (step === null) {
      gapTracker.finish()
      return true
    }
    slice.pages += 1
    gapTracker.add(step.page, step.number * pageSize)
    intake.add(step.page)
    if (slice.isLoose) slice.isLoose = (await archive.selectKnownIds(toIds(step.page))).size === 0
    if (!slice.isLoose && gapTracker.gaps().length === 0) slice.sound = intake.mark()
  } while (intake.size() < (slice.isLoose ? LOOSE_ROWS : SLICE_ROWS))
  return false
}

async function prove(filling: Filling, { gapTracker, head }: Slice): Promise<boolean> {
  const { readPage, intake, pageSize, order, signal } = filling
  const look = async (number: number) => {
    signal.throwIfAborted()
    const page = await readOrEmpty(readPage, number)
    // New rows that do not join yet would hide the gap if imported.
    if (gapTracker.holds(page)) intake.add(page)
    gapTracker.see(page)
    return page
  }
  const first = order === 'oldest' ? null : head
  return await closeGaps({ gapTracker, look, take: intake.add, pageSize, first })
}

const DAY_SECONDS = 86_400
const MINUTES_MAX = 240
/** Bounds endless lists. */
const MORE_PAGES = 1000
const LOOK_SECONDS = 3600

const UNORDERED =
  'The service lists its ratings in no time order. New ratings arrive only with the weekly dump.'
const SWEPT =
  'The service lists its ratings in no time order. All pages are read once a day; only the weekly dump proves that none is missing.'

type PageSweeps = {
  isLookDue(sparing: boolean): boolean
  noteLook(): void
  /** Proves nothing: `readAt` is null. */
  read(
    reading: ReadPages,
    sparing: boolean,
  ): Promise<Pick<FollowOutcome, 'order' | 'readAt' | 'rows'> & { reason: string }>
}

export function createPageSweeps(deps: {
  archive: SyncArchive
  discovery: KeptDiscovery
  upstream: Pick<Upstream, 'budget'>
  /** Unix seconds. */
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
