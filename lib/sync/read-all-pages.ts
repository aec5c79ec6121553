import type { ServicePage } from '#lib/upstream/upstream.ts'
import { toResumePage } from './follow-from-end.ts'
import { createRepeatCheck, followPages, type ReadPages } from './follow-pages.ts'
import { createPageIntake, type PageIntake } from './page-intake.ts'
import { type PageOrder, selectOrder, toPageKey } from './page-order.ts'

/** Rows between two commits: what a restart does not read again. */
const SLICE_ROWS = 5_000
const PAGES_MAX = 1_000_000
/** An empty page is the end only if so many after it are empty too. */
const EMPTY_AFTER = 2

/**
 * Fills the archive from the pages of a service that gives no dump, to the end of the list; then follows what came
 * meanwhile. A run that was broken off goes on where it stood: the rows held are the list's beginning, and can since
 * only have moved to later pages.
 */
export async function readAllPages(options: ReadPages): Promise<void> {
  const { archive, now, signal } = options
  const startedAt = now()
  const first = await options.readPage(1)
  const order = selectOrder(first)
  const intake = createPageIntake(archive)
  const from = toResumePage(archive.state().ratings, first.rows.length)
  const total = { pages: from - 1 }
  try {
    await readOn({ ...options, intake, first, order, from, total })
  } catch (error) {
    if (!signal.aborted) await intake.commit(null)
    throw error
  }
  await intake.commit(order === 'newest' ? null : startedAt)
  if (order !== 'newest') return
  const gaplessTo = Number.POSITIVE_INFINITY
  const { readAt } = await followPages({ ...options, gaplessTo, rereads: 5, keepPart: false })
  if (readAt === null) await createPageIntake(archive).commit(startedAt)
}

type ReadingOn = ReadPages & {
  intake: PageIntake
  first: ServicePage
  order: PageOrder
  from: number
  total: { pages: number }
}

async function readOn(reading: ReadingOn): Promise<void> {
  const { intake, first, order, from, total, signal, onProgress } = reading
  const isRepeated = createRepeatCheck(reading, toPageKey(first))
  const gap = createGapCheck(order === 'oldest' ? first.rows.length : 1)
  /** Read for its own sake: that it came before does not mean that it repeats. */
  let restart = 1
  for (let number = from; number <= PAGES_MAX; number += 1) {
    signal.throwIfAborted()
    onProgress({ step: 'reading', done: total.pages, total: null, unit: 'pages' })
    const page = number === 1 ? first : await reading.readPage(number)
    total.pages += 1
    const next = gap.selectNext(number, page.rows.length)
    if (next === 'end') return
    if (next !== null) {
      number = next - 1
      restart = next
      continue
    }
    if (page.rows.length === 0) continue
    if (number !== restart && (await isRepeated(page))) return
    intake.add(page)
    if (intake.size() >= SLICE_ROWS) await intake.commit(null)
  }
}

/**
 * What to read after an empty page: those behind it, since it may not be the end; and where one of them is not empty,
 * the first that was not full again, once. In a list that grows at its end, rows have come to stand on it.
 */
function createGapCheck(fullLength: number) {
  let gap: number | null = null
  let empty = 0
  let readAgain = 0
  return {
    /** The page to go back to, null to go on, or that this is the end. */
    selectNext(number: number, length: number): number | null | 'end' {
      const before = gap
      empty = length === 0 ? empty + 1 : 0
      gap = length < fullLength ? (gap ?? number) : null
      if (empty > 0 || before === null || before <= readAgain) {
        return empty > EMPTY_AFTER ? 'end' : null
      }
      readAgain = before
      gap = null
      return before
    },
  }
}
