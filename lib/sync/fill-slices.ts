import { AppError } from '#lib/contract/faults.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'
import { bridgeDoubts } from './page-bridge.ts'
import type { IntakeMark, PageIntake } from './page-intake.ts'
import { type PageOrder, toIds } from './page-order.ts'
import { createStitches, type Stitches } from './page-stitches.ts'
import { createWalk, readOrEmpty, type Walk } from './page-walk.ts'
import type { ReadPages } from './read-pages.ts'

/** Rows between two commits: what a restart does not read again, and what is held in memory. */
export const SLICE_ROWS = 5_000
/** Before what is held is met: if it is not by then, it is not listed any more. */
const LOOSE_ROWS = 100_000
export const PAGES_MAX = 1_000_000

const UNPROVED = 'The list of the service moves too much to be read in full: it is tried again.'

export type Filling = ReadPages & {
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
export type Start = { from: number; page: ServicePage; isLoose: boolean }

/**
 * Reads an ordered list from a page on to its end, slice by slice, and commits each. Gives the pages that could not be
 * read. Throws AppError; what was read up to the first place that is not proved is committed all the same.
 */
export async function fillSlices(filling: Filling, start: Start): Promise<readonly number[]> {
  const { first, readPage, intake, signal, onPastEnd } = filling
  const walk = createWalk({ readPage, first: start.page, from: start.from, head: first, onPastEnd })
  const slice = {
    walk,
    gapTracker: createStitches(filling.pageSize),
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
  gapTracker: Stitches
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
  return await bridgeDoubts({ gapTracker, look, take: intake.add, pageSize, first })
}
