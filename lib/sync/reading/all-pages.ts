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

/** How often, as many rows further on as are held, it is looked for where to go on. */
const SEARCH_STEPS = 50
/** Readings of a list without an order, until one finds nothing new. */
const SWEEPS = 3

/**
 * Fills the archive from the pages of a service that gives no dump, to the end of the list; then follows what came
 * meanwhile. A run that was broken off, wherever, goes on where it stood: at a page with a row that is held.
 * Slices are committed once every place between their pages has been proved, else up to the first that has not. Gives
 * what the commits changed. Throws AppError where the service fails, and where pages in the middle cannot be read: the
 * others are held then, and the next run begins with those.
 *
 * What is proved of an ordered list is what `followPages` proves. Of a list without an order nothing is: it is read until
 * a reading finds nothing new, three times at most.
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
    'Some pages of the service could not be read, though there are pages behind them.',
  )

/** Pages that an earlier run could not read: while they cannot be read, nothing else is asked for. */
async function refuseHoles({ holes = [], readPage }: Filling): Promise<void> {
  const [hole] = holes
  if (hole !== undefined && !('rows' in (await readOrNothing(readPage, hole)))) throw unreadable()
}

/**
 * A page with a row that is held, so that it and all behind it go on from what is held: looked for where the rows held
 * should end, then towards the beginning, since rows may have been deleted, then away from it, since as many as are held
 * may have come in front. Page 1 where there is none.
 */
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
    // A service that repeats its last page shows it over and over.
    if (!('rows' in page) || toPageKey(page) === before) break
    if (await isHeld(page)) return { from: number, page, isLoose: false }
    before = toPageKey(page)
  }
  // Much may have come in front while it was looked for.
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

/**
 * Reads a list in whatever order to its end, or for so many pages, and gives how many rows were not held. `first`: page 1,
 * if it was read.
 */
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

/** Rows between two commits: what a restart does not read again, and what is held in memory. */
const SLICE_ROWS = 5_000
/** Before what is held is met: if it is not by then, it is not listed any more. */
const LOOSE_ROWS = 100_000
const PAGES_MAX = 1_000_000

const UNPROVED = 'The list of the service moves too much to be read in full: it is tried again.'

type Filling = ReadPages & {
  intake: PageIntake
  /** Page 1. */
  first: ServicePage
  order: PageOrder
  pageSize: number
}

/**
 * Where to begin. `isLoose`: rows are held that are not among those read yet: what is read is committed only once it has
 * met them, since there would be a gap between.
 */
type Start = { from: number; page: ServicePage; isLoose: boolean }

/**
 * Reads an ordered list from a page on to its end, slice by slice, and commits each. Gives the pages that could not be
 * read. Throws AppError; what was read up to the first place that is not proved is committed all the same.
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
  /** Page 1 as it was before the slice. */
  head: ServicePage
  pages: number
  /** Up to here everything joins. */
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
    // New rows in front that join nothing yet are left to be followed: held, they would hide the gap.
    if (gapTracker.holds(page)) intake.add(page)
    gapTracker.see(page)
    return page
  }
  const first = order === 'oldest' ? null : head
  return await closeGaps({ gapTracker, look, take: intake.add, pageSize, first })
}

const DAY_SECONDS = 86_400
/** A reading of all pages may take so many minutes of the limit. */
const MINUTES_MAX = 240
/** A list may be longer than what is held by so many pages more than twice that: one without end holds up nothing else. */
const MORE_PAGES = 1000
/** Between two looks at page 1, whether the list is in an order by now. */
const LOOK_SECONDS = 3600

const UNORDERED =
  'The service lists its ratings in no time order: new ones arrive with the weekly dump only.'
const SWEPT =
  'The service lists its ratings in no time order: all pages are read once a day, and only the weekly dump shows that none is missing.'

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

/** What is done about a list that is in no time order: its new ratings may stand on any page. */
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
