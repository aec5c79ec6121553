import { AppError } from '#lib/contract/faults.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'
import { type Filling, fillSlices, PAGES_MAX, SLICE_ROWS, type Start } from './fill-slices.ts'
import { toResumePage } from './follow-from-end.ts'
import { followPages } from './follow-pages.ts'
import { addRows, createPageIntake, type PageIntake, type RunRows } from './page-intake.ts'
import { selectOrder, toIds, toPageKey } from './page-order.ts'
import { createWalk, readOrNothing } from './page-walk.ts'
import type { ReadPages } from './read-pages.ts'

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
  let first = await options.readPage(1)
  if (await options.findFirstPage?.()) first = await options.readPage(1)
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
export async function readEveryPage(
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
