import type { ServicePage } from '#lib/upstream/upstream.ts'
import { toHeadKey, toIds } from './page-order.ts'
import type { Doubt, Stitches } from './page-stitches.ts'

/** How often what stays in doubt is looked at again while the list keeps moving. */
const ROUNDS = 5
/** Pages that are read towards the beginning until one meets what was read above a place. */
const STEPS = 4

export type Bridging = {
  gapTracker: Stitches
  /** Reads a page once more. */
  look: (number: number) => Promise<ServicePage>
  /** Takes a page in that stands between what was read above a place and below it. */
  take: (page: ServicePage) => void
  pageSize: number
  /** Page 1 as it was read before everything that is in doubt; null where new rows stand at the end. */
  first: ServicePage | null
}

/**
 * Looks again at every place that rows may have slipped through. True where none can have; what slipped through
 * otherwise has been read by then.
 *
 * Proved is this. Reading towards the beginning misses no row that is pushed there by deletions: so the page above a
 * place is read after the one below it. Rows that are pushed the other way, by new ones in front, are missed by that:
 * so it counts only where page 1 still begins as it did before, or where both sides of the place were seen on one page.
 * In a list with the oldest first new rows push nothing. Not covered: a rating that is posted and deleted again while
 * this goes on, together with as many other deletions, all between three answers.
 */
export async function bridgeDoubts(gapCheck: Bridging): Promise<boolean> {
  const { gapTracker, look } = gapCheck
  let first = gapCheck.first
  for (let round = 1; round <= ROUNDS; round += 1) {
    const closed: Doubt[] = []
    for (const gap of [...gapTracker.gaps()]) {
      if (!gapTracker.gaps().includes(gap)) continue
      if (await bridge(gapCheck, gap, round === 1 || first === null)) closed.push(gap)
    }
    if (gapTracker.gaps().length === 0) return true
    const next = first && (await look(1))
    if (!first || !next || toHeadKey(next) === toHeadKey(first)) closed.forEach(gapTracker.clear)
    if (gapTracker.gaps().length === 0) return true
    if (first && next) gapTracker.shift(countNew(first, next))
    first = next
  }
  return false
}

/** `isRead`: the page below the place was read since page 1 last was. */
async function bridge(gapCheck: Bridging, gap: Doubt, isRead: boolean): Promise<boolean> {
  const { gapTracker, look, take, pageSize } = gapCheck
  const isOpen = () => gapTracker.gaps().includes(gap)
  const number = Math.floor(gap.position / pageSize) + 1
  const between: ServicePage[] = []
  if (!isRead) {
    const page = await look(number)
    between.push(page)
    if (!isOpen()) return true
    const { above, below } = gapTracker.sides(gap, page)
    const isBelow = gap.isEnd ? page.rows.length < pageSize : below
    if (!isBelow) {
      // Rows of neither side are newer than both; behind the end there are none.
      const isTooEarly = above || page.rows.length > 0
      gap.position = Math.max(0, isTooEarly ? number * pageSize : gap.position - pageSize)
      return false
    }
  }
  const top = Math.max(1, number - STEPS)
  for (let earlier = number - 1; earlier >= top; earlier -= 1) {
    const page = await look(earlier)
    between.push(page)
    if (!isOpen()) return true
    const { above, below } = gapTracker.sides(gap, page)
    // Where page 1 begins with what stood below, all that stood above is gone.
    if (!above && !(below && earlier === 1)) continue
    between.forEach(take)
    return true
  }
  return number === 1
}

/** Rows that came in front of what page 1 showed before. */
function countNew(before: ServicePage, after: ServicePage): number {
  const known = new Set(toIds(before))
  const index = toIds(after).findIndex((id) => known.has(id))
  return index < 0 ? after.rows.length : index
}
