import type { Progress } from '#lib/contract/answers/state.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'
import { type KnownRows, loadKnownRows } from './known-rows.ts'
import { createPageIntake, type PageIntake } from './page-intake.ts'
import { type PageOrder, selectOrder, toPageKey } from './page-order.ts'
import type { SyncArchive } from './sync.ts'

/** Rows gathered before they are committed: bounds memory. */
const SLICE_ROWS = 20_000
const PAGES_MAX = 5_000

export type ReadPages = {
  archive: SyncArchive
  readPage: (page: number) => Promise<ServicePage>
  /** Seconds since 1970. */
  now: () => number
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

export type FollowOptions = ReadPages & {
  /**
   * The instant up to which the archive has no gap. A page that is held in full ends the reading only where it
   * reaches behind it: an earlier follow that was broken off may have left newer rows with a gap under them.
   */
  gaplessTo: number
  /** How often page 1 may be read again for what came in the meantime. */
  rereads: number
  /** Whether what was read before a failure is committed. */
  keepPart: boolean
}

/** `readAt`: when the archive was complete, by our clock; null where what was read did not join what is held. */
export type FollowOutcome = { order: PageOrder; pageSize: number; readAt: number | null }

/**
 * Reads pages from the newest on until one is held in full, and imports them all, the held rows too since their
 * tallies may have moved. Rows that arrive meanwhile push others to later pages: those are then read twice, never
 * missed, and page 1 is read again until nothing new stands on it.
 */
export async function followPages(options: FollowOptions): Promise<FollowOutcome> {
  const { archive, signal, rereads, keepPart } = options
  const intake = createPageIntake(archive)
  const known = await loadKnownRows(archive, options.gaplessTo)
  const reading = { ...options, intake, known, seen: { pages: 0 } }
  try {
    const first = await sweep(reading, null)
    let last = first
    for (let count = 0; count < rereads && last.readAt !== null && last.pages > 1; count += 1) {
      known.join()
      last = await sweep(reading, last.head)
    }
    const readAt = last.readAt ?? first.readAt
    await intake.commit(readAt)
    return { order: first.order, pageSize: first.pageSize, readAt }
  } catch (error) {
    if (keepPart && !signal.aborted) await intake.commit(null)
    throw error
  }
}

type Reading = FollowOptions & { intake: PageIntake; known: KnownRows; seen: { pages: number } }
type Sweep = FollowOutcome & { head: string; pages: number }

/** Page 1 and on, until what is held is joined. `head`: page 1 as it was; where it has not moved, that is all. */
async function sweep(reading: Reading, head: string | null): Promise<Sweep> {
  const { intake, known } = reading
  const readAt = reading.now()
  const first = await readOne(reading, 1)
  const key = toPageKey(first)
  const order = selectOrder(first)
  const end = (joined: boolean, pages: number): Sweep => ({
    head: key,
    pages,
    order,
    pageSize: first.rows.length,
    readAt: joined ? readAt : null,
  })
  if (key === head || first.rows.length === 0) return end(true, 1)
  const isRepeated = createRepeatCheck(reading, key)
  let page = first
  for (let number = 1; number <= PAGES_MAX; number += 1) {
    if (number > 1) page = await readOne(reading, number)
    if (page.rows.length === 0) return end(true, number)
    intake.add(page)
    const isJoined = await known.isJoined(page)
    if (order !== 'newest') return end(false, number)
    if (isJoined) return end(true, number)
    // A service that stops at its last page has been read to its end; one that knows only one page may have more.
    if (number > 1 && (await isRepeated(page))) return end(number > 2, number)
    if (intake.size() >= SLICE_ROWS && reading.keepPart) await intake.commit(null)
  }
  return end(false, PAGES_MAX)
}

async function readOne(reading: Reading, number: number): Promise<ServicePage> {
  const { seen, onProgress } = reading
  onProgress({ step: 'reading', done: seen.pages, total: null, unit: 'pages' })
  const page = await reading.readPage(number)
  seen.pages += 1
  return page
}

/**
 * Whether a page came twice because there is no other. The same rows also come twice where a whole page of new ones
 * arrived in between: then page 1 has moved.
 */
export function createRepeatCheck({ readPage }: Pick<ReadPages, 'readPage'>, firstKey: string) {
  let before = firstKey
  let head = firstKey
  return async (page: ServicePage): Promise<boolean> => {
    const key = toPageKey(page)
    const isSame = key === before
    before = key
    if (!isSame) return false
    const moved = toPageKey(await readPage(1))
    const stands = moved === head
    head = moved
    // What moved page 1 may also be why the next page is this one again: only those after it count.
    if (!stands) before = ''
    return stands
  }
}
