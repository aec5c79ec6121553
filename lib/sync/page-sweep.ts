import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import type { ServicePage, Validators } from '#lib/upstream/upstream.ts'
import type { KnownRows } from './known-rows.ts'
import { bridgeDoubts } from './page-bridge.ts'
import type { PageIntake } from './page-intake.ts'
import { type PageOrder, selectOrder, selectOrdering, toPageKey, toRatings } from './page-order.ts'
import { createStitches, type Stitches } from './page-stitches.ts'
import { createWalk, readOrEmpty, type Walk } from './page-walk.ts'
import type { FollowOptions } from './read-pages.ts'

/** Rows gathered before they are committed: bounds memory. */
const SLICE_ROWS = 20_000
const PAGES_MAX = 5_000

export type Reading = FollowOptions & {
  intake: PageIntake
  known: KnownRows
  seen: { pages: number }
  /** Page 1 where it has been read, and when. */
  started: { page: ServicePage; readAt: number } | null
}

/** `readAt`: when page 1 was read, by our clock; null where what was read does not join what is held. */
export type Sweep = {
  /** Page 1 as it was. */
  head: string
  pages: number
  order: PageOrder
  pageSize: number
  readAt: number | null
  /** Of page 1, where it was sent. */
  validators: Validators | null
}

/**
 * Reads page 1 and on until what is held is joined, and looks again at every place between two pages that a row may
 * have slipped through. `head`: page 1 as it was before; where it has not moved, that is all.
 */
export async function sweep(reading: Reading, head: string | null): Promise<Sweep> {
  const { started } = reading
  reading.started = null
  const readAt = started?.readAt ?? reading.now()
  const first = started?.page ?? (await readOne(reading, 1))
  const order = selectOrder(first, reading.order)
  const end = (isJoined: boolean, pages: number, found = order): Sweep => ({
    head: toPageKey(first),
    pages,
    order: found,
    pageSize: first.rows.length,
    readAt: isJoined ? readAt : null,
    validators: first.validators,
  })
  if (toPageKey(first) === head) return end(true, 1)
  // Where ratings are held, a service that lists none at all does not say that all is well.
  if (first.rows.length === 0) return end(reading.archive.state().ratings === 0, 1)
  if (order !== 'newest') {
    reading.intake.add(first)
    return end(false, 1)
  }
  const gapTracker = createStitches(first.rows.length)
  const readPage = async (number: number) => await readOne(reading, number)
  const walk = createWalk({ readPage, first, from: 1, head: first, onPastEnd: reading.onPastEnd })
  const walked = await walkOn(reading, { walk, gapTracker, pageSize: first.rows.length })
  if (walked.order === 'none') return end(false, walked.pages, 'none')
  if (!walked.isJoined || walk.holes().length > 0) return end(false, walked.pages)
  const look = async (number: number) => await lookAgain(reading, gapTracker, number)
  const pageSize = first.rows.length
  // Whatever is read is imported: no row that is newer than what is held without a gap is trusted.
  const take = () => undefined
  return end(await bridgeDoubts({ gapTracker, look, take, pageSize, first }), walked.pages)
}

type Walking = { walk: Walk; gapTracker: Stitches; pageSize: number }
type Walked = { isJoined: boolean; pages: number; order: PageOrder }

async function walkOn(reading: Reading, { walk, gapTracker, pageSize }: Walking): Promise<Walked> {
  const { intake, known } = reading
  let before: ServicePage | null = null
  for (let pages = 1; pages <= PAGES_MAX; pages += 1) {
    const step = await walk.next()
    if (step === null) {
      gapTracker.finish()
      return { isJoined: await isWholeList(reading, walk, pages), pages, order: 'newest' }
    }
    intake.add(step.page)
    gapTracker.add(step.page, step.number * pageSize)
    const { isJoined, isSettled } = await known.look(step.page)
    if (isJoined) return { isJoined, pages, order: 'newest' }
    if (before && isContradicted(before, step.page))
      return { isJoined: false, pages, order: 'none' }
    if (isSettled) gapTracker.settle()
    if (intake.size() >= SLICE_ROWS && reading.keepPart) await intake.commit(null)
    before = step.page
  }
  return { isJoined: false, pages: PAGES_MAX, order: 'newest' }
}

/**
 * Whether the end of the list is as good as having joined: the list reaches back to what is held without a gap, or
 * nothing is. A service that only knows one page may have more.
 */
async function isWholeList(reading: Reading, walk: Walk, pages: number): Promise<boolean> {
  if (reading.known.isBehind()) return true
  return !(walk.isCircle() && pages <= 2) && (await holdsNothingYet(reading))
}

/** As in a community whose first rating is younger than its newest dump. */
async function holdsNothingYet({ archive, gaplessTo }: Reading): Promise<boolean> {
  if (gaplessTo <= 0) return true
  const query = { ...EVERY_RATING, to: gaplessTo + 1, per_page: 1 }
  return (await archive.selectRatings(query, { at: gaplessTo })).total === 0
}

/** All of a page stands, by the field that page 1 is in order of, before all of the page before it. */
function isContradicted(before: ServicePage, page: ServicePage): boolean {
  const key = selectOrdering(before)?.key === 'created_at' ? 'created_at' : 'id'
  const values = (of: ServicePage) => toRatings(of).map((row) => row[key])
  return Math.min(...values(page)) > Math.max(...values(before))
}

async function lookAgain(
  reading: Reading,
  gapTracker: Stitches,
  number: number,
): Promise<ServicePage> {
  const page = await readOrEmpty(async (wanted) => await readOne(reading, wanted), number)
  reading.intake.add(page)
  await reading.known.look(page)
  gapTracker.see(page)
  return page
}

async function readOne(reading: Reading, number: number): Promise<ServicePage> {
  const { seen, onProgress, signal } = reading
  signal.throwIfAborted()
  onProgress({ step: 'reading', done: seen.pages, total: null, unit: 'pages' })
  const page = await reading.readPage(number)
  seen.pages += 1
  return page
}
