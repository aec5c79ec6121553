import type { Rating } from '#lib/contract/rating.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import type { ServicePage, Validators } from '#lib/upstream/upstream.ts'
import { closeGaps, createGapTracker, type GapTracker } from './gap-check.ts'
import { createPageIntake, type PageIntake, type RunRows } from './page-intake.ts'
import { type PageOrder, selectOrder, selectOrdering, toPageKey, toRatings } from './page-order.ts'
import {
  createWalk,
  type FollowOptions,
  type ReadPages,
  readOrEmpty,
  type Walk,
} from './page-reader.ts'

/** `readAt`: when the archive was complete (local clock); null if it is not proved. */
export type FollowOutcome = {
  order: PageOrder
  pageSize: number
  readAt: number | null
  validators: Validators | null
  rows: RunRows | null
}

/**
 * Imports held rows too: their tallies may change. With `readAt`, every rating listed throughout is
 * held if the service lists new ratings first in a stable order. `closeGaps` covers deletions.
 */
export async function followPages(options: FollowOptions): Promise<FollowOutcome> {
  const { archive, signal, rereads, keepPart, unchanged } = options
  const intake = createPageIntake(archive)
  let started: PageWalk['started'] = null
  if (unchanged && options.readIfChanged) {
    const readAt = options.now()
    const page = await options.readIfChanged(unchanged)
    if (page === null) return await endUnchanged(intake, readAt, unchanged)
    started = { page, readAt }
  }
  const known = await loadKnownRows(options)
  const reading: PageWalk = { ...options, intake, known, seen: { pages: 0 }, started }
  try {
    const first = await sweep(reading, null)
    let last = first
    let joined = first
    for (let count = 0; count < rereads && last.readAt !== null && last.pages > 1; count += 1) {
      known.join()
      last = await sweep(reading, last.head)
      if (last.readAt !== null) joined = last
    }
    if (joined.readAt === null) await storePart(reading, joined.order)
    else await intake.commit(joined.readAt)
    if (joined.readAt !== null) await options.clearUnjoined?.()
    return toOutcome(joined, intake)
  } catch (error) {
    if (keepPart && !signal.aborted) await storePart(reading)
    throw error
  }
}

/** Noted first: stored ratings would end the next follow above those that were not read. */
async function storePart({ intake, known, addUnjoined }: PageWalk, order: PageOrder = 'newest') {
  if (order === 'newest') await addUnjoined?.(known.unjoined())
  await intake.commit(null)
}

const toOutcome = (joined: Sweep, intake: PageIntake): FollowOutcome => ({
  order: joined.order,
  pageSize: joined.pageSize,
  readAt: joined.readAt,
  validators: joined.readAt === null ? null : joined.validators,
  rows: intake.changed(),
})

async function endUnchanged(
  intake: PageIntake,
  readAt: number,
  validators: Validators,
): Promise<FollowOutcome> {
  await intake.commit(readAt)
  return { order: 'newest', pageSize: 0, readAt, validators, rows: null }
}

const SLICE_ROWS = 20_000
const PAGES_MAX = 5_000

type PageWalk = FollowOptions & {
  intake: PageIntake
  known: KnownRows
  seen: { pages: number }
  started: { page: ServicePage; readAt: number } | null
}

type Sweep = {
  head: string
  pages: number
  order: PageOrder
  pageSize: number
  readAt: number | null
  validators: Validators | null
}

async function sweep(reading: PageWalk, head: string | null): Promise<Sweep> {
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
  // An empty list is suspicious if ratings are held.
  if (first.rows.length === 0) return end(reading.archive.state().ratings === 0, 1)
  if (order !== 'newest') {
    reading.intake.add(first)
    return end(false, 1)
  }
  const gapTracker = createGapTracker(first.rows.length)
  const readPage = async (number: number) => await readOne(reading, number)
  const walk = createWalk({ readPage, first, from: 1, head: first, onPastEnd: reading.onPastEnd })
  const walked = await walkOn(reading, { walk, gapTracker, pageSize: first.rows.length })
  if (walked.order === 'none') return end(false, walked.pages, 'none')
  if (!walked.isJoined || walk.holes().length > 0) return end(false, walked.pages)
  const look = async (number: number) => await lookAgain(reading, gapTracker, number)
  const pageSize = first.rows.length
  // Nothing above the gapless time is trusted, so every row is imported.
  const take = () => undefined
  return end(await closeGaps({ gapTracker, look, take, pageSize, first }), walked.pages)
}

type Walking = { walk: Walk; gapTracker: GapTracker; pageSize: number }
type Walked = { isJoined: boolean; pages: number; order: PageOrder }

async function walkOn(reading: PageWalk, { walk, gapTracker, pageSize }: Walking): Promise<Walked> {
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
    if (intake.size() >= SLICE_ROWS && reading.keepPart) await storePart(reading)
    before = step.page
  }
  return { isJoined: false, pages: PAGES_MAX, order: 'newest' }
}

async function isWholeList(reading: PageWalk, walk: Walk, pages: number): Promise<boolean> {
  if (reading.known.isBehind()) return true
  return !(walk.isCircle() && pages <= 2) && (await holdsNothingYet(reading))
}

async function holdsNothingYet({ archive, gaplessTo }: PageWalk): Promise<boolean> {
  if (gaplessTo <= 0) return true
  const query = { ...EVERY_RATING, to: gaplessTo + 1, per_page: 1 }
  return (await archive.countRatings(query, gaplessTo)) === 0
}

function isContradicted(before: ServicePage, page: ServicePage): boolean {
  const key = selectOrdering(before)?.key === 'created_at' ? 'created_at' : 'id'
  const values = (of: ServicePage) => toRatings(of).map((row) => row[key])
  return Math.min(...values(page)) > Math.max(...values(before))
}

async function lookAgain(
  reading: PageWalk,
  gapTracker: GapTracker,
  number: number,
): Promise<ServicePage> {
  const page = await readOrEmpty(async (wanted) => await readOne(reading, wanted), number)
  reading.intake.add(page)
  await reading.known.look(page)
  gapTracker.see(page)
  return page
}

async function readOne(reading: PageWalk, number: number): Promise<ServicePage> {
  const { seen, onProgress, signal } = reading
  signal.throwIfAborted()
  onProgress({ step: 'reading', done: seen.pages, total: null, unit: 'pages' })
  const page = await reading.readPage(number)
  seen.pages += 1
  return page
}

type JoinState = { isJoined: boolean; isSettled: boolean }

type KnownRows = {
  look(page: ServicePage): Promise<JoinState>
  isBehind(): boolean
  join(): void
  /** Read by this follow and not stored before, or by an earlier one that broke off. */
  unjoined(): ReadonlySet<number>
}

const QUARANTINE_READ = 5_000
const DOUBTFUL_PAGES = 3
const OVERLAP_ROWS = 5

/** `gaplessTo`: Unix seconds up to which all rows are held. */
async function loadKnownRows(options: FollowOptions): Promise<KnownRows> {
  const { archive, gaplessTo, sparing = false, isUnjoined = () => false } = options
  const quarantine = new Set(
    (await archive.selectQuarantine(QUARANTINE_READ)).map(({ raw }) => toRawKey(raw)),
  )
  const read = new Set<number>()
  const fresh = new Set<number>()
  let joined: ReadonlySet<number> | null = null
  let doubtfulPages = 0
  let isBehind = false

  const note = (ids: readonly number[], held: ReadonlySet<number>) => {
    for (const id of ids) {
      if (isUnjoined(id) || (!read.has(id) && !held.has(id))) fresh.add(id)
      read.add(id)
    }
  }
  const isKnown = (row: ServicePage['rows'][number], held: ReadonlySet<number>) =>
    row.ok
      ? held.has(row.rating.id) && !fresh.has(row.rating.id)
      : quarantine.has(toRawKey(row.raw))
  const countTail = ({ rows }: ServicePage, held: ReadonlySet<number>) => {
    const isOld = (row: ServicePage['rows'][number]) =>
      !row.ok || row.rating.created_at <= gaplessTo
    const index = rows.findLastIndex((row) => !(isKnown(row, held) && isOld(row)))
    return rows.slice(index + 1).filter((row) => row.ok).length
  }
  return {
    async look(page) {
      const ratings = toRatings(page)
      const ids = ratings.map(({ id }) => id)
      const held = await archive.selectKnownIds(ids)
      note(ids, held)
      isBehind ||= ratings.some(({ created_at }) => created_at <= gaplessTo)
      if (joined) {
        const isMet = ids.some((id) => joined?.has(id))
        return { isJoined: isMet, isSettled: isMet }
      }
      const tail = countTail(page, held)
      const isHeld =
        ids.every((id) => held.has(id) && !fresh.has(id)) && isMostlyOld(ratings, gaplessTo)
      doubtfulPages = isHeld ? doubtfulPages + 1 : 0
      const isWhole =
        isHeld && (page.rows.every((row) => isKnown(row, held)) || doubtfulPages >= DOUBTFUL_PAGES)
      const isEnough = sparing && tail >= Math.max(1, Math.min(OVERLAP_ROWS, ids.length >> 1))
      return { isJoined: isWhole || isEnough, isSettled: tail > 0 }
    },
    isBehind: () => isBehind,
    join() {
      joined = new Set(read)
    },
    unjoined: () => fresh,
  }
}

async function isMet(archive: SyncArchive, page: ServicePage, gaplessTo: number): Promise<boolean> {
  const old = toRatings(page).filter(({ created_at }) => created_at <= gaplessTo)
  return (await archive.selectKnownIds(old.map(({ id }) => id))).size > 0
}

function isMostlyOld(ratings: readonly Rating[], gaplessTo: number): boolean {
  const old = ratings.filter(({ created_at }) => created_at <= gaplessTo).length
  return old > 0 && old * 2 >= ratings.length
}

const ID_IN_TEXT = /"id":\s*"?(-?\d{1,40})/

/** By id: tallies of a rejected row may change. */
const toRawKey = (raw: string): string => ID_IN_TEXT.exec(raw)?.[1] ?? raw

export const toResumePage = (held: number, pageSize: number): number =>
  held === 0 || pageSize === 0 ? 1 : Math.max(1, Math.floor(held / pageSize))

/** `newest`: Unix seconds, or 0. */
export type ListEnd = { page: number; newest: number }

type FromEndOptions = ReadPages & {
  pageSize: number
  gaplessTo: number
  lastEnd: ListEnd | null
  thorough: boolean
}

type FromEndOutcome = Pick<FollowOutcome, 'readAt' | 'rows'> & { end: ListEnd }

/**
 * For lists with the oldest first. Proves what `followPages` does, unless the list was reversed.
 */
export async function followFromEnd(options: FromEndOptions): Promise<FromEndOutcome> {
  const { archive, pageSize, signal } = options
  const intake = createPageIntake(archive)
  const ending = {
    ...options,
    intake,
    gapTracker: createGapTracker(pageSize),
    seen: { pages: 0 },
  }
  try {
    const from = await selectStart(ending)
    const { readAt, end, isTurned } = await readToEnd(ending, from)
    const look = async (number: number) => await readOneFromEnd(ending, number)
    const take = () => undefined
    const { gapTracker } = ending
    const isProved = await closeGaps({ gapTracker, look, take, pageSize, first: null })
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
  gapTracker: GapTracker
  seen: { pages: number }
}
type Start = { number: number; page: ServicePage | null; isJoined: boolean; readAt: number }

async function selectStart(ending: Ending): Promise<Start> {
  const { archive, pageSize, gaplessTo, lastEnd, now } = ending
  let number = lastEnd?.page ?? toResumePage(archive.state().ratings, pageSize)
  for (let back = 1; ; back *= 2) {
    const readAt = now()
    const came = await readOneFromEnd(ending, number)
    const isHeld = await isMet(archive, came, gaplessTo)
    if (isHeld || number === 1) {
      const isJoined = isHeld || gaplessTo <= 0 || came.rows.length > 0
      return { number, page: came.rows.length > 0 ? came : null, isJoined, readAt }
    }
    number = Math.max(1, number - back)
  }
}

type End = { readAt: number; end: ListEnd; isTurned: boolean }

async function readToEnd(ending: Ending, from: Start): Promise<End> {
  const { pageSize, gapTracker, thorough, lastEnd, now } = ending
  let { number, page, readAt } = from
  let isTurned = false
  for (let pages = 0; page !== null && pages < PAGES_MAX; pages += 1) {
    gapTracker.add(page, number * pageSize)
    isTurned ||= selectOrdering(page)?.order === 'newest'
    if (page.rows.length < pageSize && !(thorough && pages === 0)) break
    const nextAt = now()
    const next = await readOneFromEnd(ending, number + 1)
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

async function readOneFromEnd(ending: Ending, number: number): Promise<ServicePage> {
  const { signal, onProgress, seen, readPage, intake, gapTracker } = ending
  signal.throwIfAborted()
  onProgress({ step: 'reading', done: seen.pages, total: null, unit: 'pages' })
  const page = await readOrEmpty(readPage, number)
  seen.pages += 1
  intake.add(page)
  gapTracker.see(page)
  return page
}
