import type { ServicePage } from '#lib/upstream/upstream.ts'
import type { FollowOutcome } from './follow-pages.ts'
import { isMet } from './known-rows.ts'
import { bridgeDoubts } from './page-bridge.ts'
import { createPageIntake, type PageIntake } from './page-intake.ts'
import { selectOrdering, toPageKey, toRatings } from './page-order.ts'
import { createStitches, type Stitches } from './page-stitches.ts'
import { readOrEmpty } from './page-walk.ts'
import type { ReadPages } from './read-pages.ts'

const PAGES_MAX = 5_000

/** The page before the one that the first row not held can stand on, where the rows held are the list's beginning. */
export const toResumePage = (held: number, pageSize: number): number =>
  held === 0 || pageSize === 0 ? 1 : Math.max(1, Math.floor(held / pageSize))

/** The list's last page, and when the newest rating on it was posted (seconds since 1970; 0 where it has none). */
export type ListEnd = { page: number; newest: number }

/** `lastEnd`: the list's end when it was followed before; null where it was not. */
export type FromEndOptions = ReadPages & {
  pageSize: number
  gaplessTo: number
  lastEnd: ListEnd | null
  /** Whether the page behind one that is not full is read too. */
  thorough: boolean
}

export type FromEndOutcome = Pick<FollowOutcome, 'readAt' | 'rows'> & { end: ListEnd }

/**
 * Follows a service that lists its oldest ratings first: new ones come at the end, so reading starts where the list
 * ended before, or where the held rows should end, goes back until what is held is met, and on to the end. With nothing
 * new it is one page. What is proved is what `followPages` proves, with the end of the list for its front; rows that
 * were deleted since pull the rest forwards, and are met by going back. Nothing is proved where the end shows older ratings
 * than it did before, or the newest first: then the list was turned round.
 */
export async function followFromEnd(options: FromEndOptions): Promise<FromEndOutcome> {
  const { archive, pageSize, signal } = options
  const intake = createPageIntake(archive)
  const ending = {
    ...options,
    intake,
    gapTracker: createStitches(pageSize),
    seen: { pages: 0 },
  }
  try {
    const from = await selectStart(ending)
    const { readAt, end, isTurned } = await readToEnd(ending, from)
    const look = async (number: number) => await readOne(ending, number)
    const take = () => undefined
    const { gapTracker } = ending
    const isProved = await bridgeDoubts({ gapTracker, look, take, pageSize, first: null })
    const proved = from.isJoined && isProved && !isTurned ? readAt : null
    await intake.commit(proved)
    return { readAt: proved, end, rows: intake.changed() }
  } catch (error) {
    if (!signal.aborted) await intake.commit(null)
    throw error
  }
}

type Ending = FromEndOptions & {
  intake: PageIntake
  gapTracker: Stitches
  seen: { pages: number }
}
type Start = { number: number; page: ServicePage | null; isJoined: boolean; readAt: number }

/** The last page whose rows above, or whose own, are held without a gap; found in steps that double. */
async function selectStart(ending: Ending): Promise<Start> {
  const { archive, pageSize, gaplessTo, lastEnd, now } = ending
  let number = lastEnd?.page ?? toResumePage(archive.state().ratings, pageSize)
  for (let back = 1; ; back *= 2) {
    const readAt = now()
    const came = await readOne(ending, number)
    const isHeld = await isMet(archive, came, gaplessTo)
    if (isHeld || number === 1) {
      const isJoined = isHeld || gaplessTo <= 0 || came.rows.length > 0
      return { number, page: came.rows.length > 0 ? came : null, isJoined, readAt }
    }
    number = Math.max(1, number - back)
  }
}

type End = { readAt: number; end: ListEnd; isTurned: boolean }

/** On from where what is held was met. */
async function readToEnd(ending: Ending, from: Start): Promise<End> {
  const { pageSize, gapTracker, thorough, lastEnd, now } = ending
  let { number, page, readAt } = from
  let isTurned = false
  for (let pages = 0; page !== null && pages < PAGES_MAX; pages += 1) {
    gapTracker.add(page, number * pageSize)
    isTurned ||= selectOrdering(page)?.order === 'newest'
    if (page.rows.length < pageSize && !(thorough && pages === 0)) break
    const nextAt = now()
    const next = await readOne(ending, number + 1)
    if (next.rows.length === 0 || toPageKey(next) === toPageKey(page)) {
      gapTracker.finish()
      break
    }
    readAt = nextAt
    page = next
    number += 1
  }
  const newest = Math.max(0, ...(page ? toRatings(page) : []).map((row) => row.created_at))
  isTurned ||= newest < (lastEnd?.newest ?? 0)
  return { readAt, end: { page: number, newest }, isTurned }
}

/** What stands on the page is imported; a page that is none is an empty one. */
async function readOne(ending: Ending, number: number): Promise<ServicePage> {
  const { signal, onProgress, seen, readPage, intake, gapTracker } = ending
  signal.throwIfAborted()
  onProgress({ step: 'reading', done: seen.pages, total: null, unit: 'pages' })
  const page = await readOrEmpty(readPage, number)
  seen.pages += 1
  intake.add(page)
  gapTracker.see(page)
  return page
}
