import type { ServicePage } from '#lib/upstream/upstream.ts'
import { toHeadKey, toIds } from './page-order.ts'

/** How often a gap that stays open is looked at again while the list keeps moving. */
const ROUNDS = 5
/** Pages that are read towards the beginning until one meets what was read above a place. */
const STEPS = 4

export type GapCheck = {
  gapTracker: GapTracker
  /** Reads a page once more. */
  look: (number: number) => Promise<ServicePage>
  /** Takes a page in that stands between what was read above a place and below it. */
  take: (page: ServicePage) => void
  pageSize: number
  /** Page 1 as it was read before every gap; null where new rows stand at the end. */
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
export async function closeGaps(gapCheck: GapCheck): Promise<boolean> {
  const { gapTracker, look } = gapCheck
  let first = gapCheck.first
  for (let round = 1; round <= ROUNDS; round += 1) {
    const closed: PossibleGap[] = []
    for (const gap of [...gapTracker.gaps()]) {
      if (!gapTracker.gaps().includes(gap)) continue
      if (await closeGap(gapCheck, gap, round === 1 || first === null)) closed.push(gap)
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
async function closeGap(gapCheck: GapCheck, gap: PossibleGap, isRead: boolean): Promise<boolean> {
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

/**
 * A place between two pages that were read one after the other, where rows may have slipped through: a row that was
 * deleted before it moves all that follow towards the beginning. `segment`: rows of the pages up to that number of pages
 * read stand above it. `position`: how many rows of the list stand above it, as far as is known. `isEnd`: nothing stood
 * below it.
 */
type PossibleGap = { segment: number; position: number; isEnd: boolean }

/**
 * How pages that were read join to one stretch of the list without a gap. What is relied on: two rows never change
 * places. Then a page on which a row from above a place and a row from below it stand together shows all there is
 * between them, whenever it is read.
 */
export type GapTracker = {
  /** A page read for its own sake, the next one after the last; `behind` rows of the list end with it. */
  add(page: ServicePage, behind: number): void
  /** Nothing came behind the last page. One that was full does not show that itself. */
  finish(): void
  /** From here on everything is held: no place further on matters. */
  settle(): void
  /** Any page read once more. */
  see(page: ServicePage): void
  gaps(): readonly PossibleGap[]
  /** A place that something else has proved to hold no row. */
  clear(gap: PossibleGap): void
  /** Whether a page holds a row that was read above a place, or one from below it. */
  sides(gap: PossibleGap, page: ServicePage): { above: boolean; below: boolean }
  /** Whether a page holds any row that was read. */
  holds(page: ServicePage): boolean
  /** Rows came in front of everything: every place is so many rows further on. */
  shift(rows: number): void
  /** Forgets all rows but those of the last page: for lists without end. */
  restart(): void
}

export function createGapTracker(pageSize: number): GapTracker {
  const segments = new Map<number, number>()
  let gaps: PossibleGap[] = []
  let segment = 0
  let position = 0
  let last: readonly number[] = []
  let isSettled = false
  let isFull = false

  const sides = (gap: PossibleGap, ids: readonly number[]) => {
    const found = ids.flatMap((id) => segments.get(id) ?? [])
    return {
      above: found.some((at) => at <= gap.segment),
      below: found.some((at) => at > gap.segment),
    }
  }
  const see = (page: ServicePage) => {
    const ids = toIds(page)
    gaps = gaps.filter((gap) => {
      const { above, below } = sides(gap, ids)
      return !(above && (gap.isEnd ? page.rows.length < pageSize : below))
    })
  }
  return {
    add(page, behind) {
      const ids = toIds(page)
      see(page)
      const isJoined = segment === 0 || isSettled || isSeamless(last, ids, segments)
      if (!isJoined) gaps.push({ segment, position, isEnd: false })
      segment += 1
      for (const id of ids) if (!segments.has(id)) segments.set(id, segment)
      position = behind
      last = ids
      isFull = page.rows.length >= pageSize
    },
    finish() {
      if (isFull && !isSettled) gaps.push({ segment, position, isEnd: true })
    },
    settle() {
      isSettled = true
    },
    see,
    gaps: () => gaps,
    clear(gap) {
      gaps = gaps.filter((other) => other !== gap)
    },
    sides: (gap, page) => sides(gap, toIds(page)),
    holds: (page) => toIds(page).some((id) => segments.has(id)),
    shift(rows) {
      for (const gap of gaps) gap.position += rows
    },
    restart() {
      segments.clear()
      for (const id of last) segments.set(id, segment)
    },
  }
}

/** Whether nothing can stand between two pages: they share a row, or their numbers leave no number out. */
function isSeamless(
  last: readonly number[],
  next: readonly number[],
  read: ReadonlyMap<number, number>,
): boolean {
  if (next.some((id) => read.has(id))) return true
  const [bottom, top] = [last.at(-1), next[0]]
  if (bottom === undefined || top === undefined) return false
  return Math.abs(bottom - top) === 1 && isMonotone([...last, ...next])
}

function isMonotone(ids: readonly number[]): boolean {
  const sign = Math.sign((ids.at(-1) ?? 0) - (ids[0] ?? 0))
  return ids.every((id, index) => index === 0 || Math.sign(id - (ids[index - 1] ?? 0)) === sign)
}
