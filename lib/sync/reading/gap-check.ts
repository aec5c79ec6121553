import type { ServicePage } from '#lib/upstream/upstream.ts'
import { toHeadKey, toIds } from './page-order.ts'

const ROUNDS = 5
const STEPS = 4

type GapCheck = {
  gapTracker: GapTracker
  look: (number: number) => Promise<ServicePage>
  take: (page: ServicePage) => void
  pageSize: number
  first: ServicePage | null
}

/**
 * Rereads every place where rows may have slipped through; true if none remain.
 * Reading backward catches rows that deletions move forward, so the page above a gap is read after
 * the one below. New rows in front move rows the other way: a result counts only if page 1 still
 * starts the same or one page shows both sides. Not covered: a rating posted and deleted within
 * three responses, with as many other deletions.
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
    if (!above && !(below && earlier === 1)) continue
    between.forEach(take)
    return true
  }
  return number === 1
}

function countNew(before: ServicePage, after: ServicePage): number {
  const known = new Set(toIds(before))
  const index = toIds(after).findIndex((id) => known.has(id))
  return index < 0 ? after.rows.length : index
}

/** Deletions move later rows to the previous page. `position`: estimated rows above. */
type PossibleGap = { segment: number; position: number; isEnd: boolean }

/** Assumes a stable order: a page with rows from both sides of a gap shows everything between. */
export type GapTracker = {
  /** `behind`: list rows up to the end of the page. */
  add(page: ServicePage, behind: number): void
  /** A full last page does not show that it is the last. */
  finish(): void
  settle(): void
  see(page: ServicePage): void
  gaps(): readonly PossibleGap[]
  clear(gap: PossibleGap): void
  sides(gap: PossibleGap, page: ServicePage): { above: boolean; below: boolean }
  holds(page: ServicePage): boolean
  shift(rows: number): void
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
