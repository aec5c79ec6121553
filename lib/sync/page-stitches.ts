import type { ServicePage } from '#lib/upstream/upstream.ts'
import { toIds } from './page-order.ts'

/**
 * A place between two pages that were read one after the other, where rows may have slipped through: a row that was
 * deleted before it moves all that follow towards the beginning. `segment`: rows of the pages up to that number of pages
 * read stand above it. `position`: how many rows of the list stand above it, as far as is known. `isEnd`: nothing stood
 * below it.
 */
export type Doubt = { segment: number; position: number; isEnd: boolean }

/**
 * How pages that were read join to one stretch of the list without a gap. What is relied on: two rows never change
 * places. Then a page on which a row from above a place and a row from below it stand together shows all there is
 * between them, whenever it is read.
 */
export type Stitches = {
  /** A page read for its own sake, the next one after the last; `behind` rows of the list end with it. */
  add(page: ServicePage, behind: number): void
  /** Nothing came behind the last page. One that was full does not show that itself. */
  finish(): void
  /** From here on everything is held: no place further on matters. */
  settle(): void
  /** Any page read once more. */
  see(page: ServicePage): void
  gaps(): readonly Doubt[]
  /** A place that something else has proved to hold no row. */
  clear(gap: Doubt): void
  /** Whether a page holds a row that was read above a place, or one from below it. */
  sides(gap: Doubt, page: ServicePage): { above: boolean; below: boolean }
  /** Whether a page holds any row that was read. */
  holds(page: ServicePage): boolean
  /** Rows came in front of everything: every place is so many rows further on. */
  shift(rows: number): void
  /** Forgets all rows but those of the last page: for lists without end. */
  restart(): void
}

export function createStitches(pageSize: number): Stitches {
  const segments = new Map<number, number>()
  let gaps: Doubt[] = []
  let segment = 0
  let position = 0
  let last: readonly number[] = []
  let isSettled = false
  let isFull = false

  const sides = (gap: Doubt, ids: readonly number[]) => {
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
