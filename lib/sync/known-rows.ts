import type { Rating } from '#lib/contract/rating.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'
import { toRatings } from './page-order.ts'
import type { SyncArchive } from './sync.ts'

/** `isJoined`: reading may end here. `isSettled`: what follows the page's last row is all held. */
export type Look = { isJoined: boolean; isSettled: boolean }

/** What of the pages being read was there before. */
export type KnownRows = {
  /** Notes the page's rows, and says whether they join what is held without a gap. */
  look(page: ServicePage): Promise<Look>
  /** Whether any row that was looked at is as old as what is held without a gap. */
  isBehind(): boolean
  /** What was read so far has joined: from now on, to meet any of it is to have joined. */
  join(): void
}

const QUARANTINE_READ = 5_000
/** So many pages whose readable rows are all held are enough, whatever the unreadable ones may be. */
const DOUBTFUL_PAGES = 3
/** Held rows at the end of a page that are enough where a page more is dear: rows posted a little out of turn. */
const OVERLAP_ROWS = 5

/**
 * `gaplessTo` in seconds since 1970: rows posted up to then are all held. Reading joins them where a page is held in
 * full and mostly that old; with `sparing`, where the last rows of a page are held and that old.
 */
export async function loadKnownRows(
  archive: SyncArchive,
  gaplessTo: number,
  sparing = false,
): Promise<KnownRows> {
  const quarantine = new Set(
    (await archive.selectQuarantine(QUARANTINE_READ)).map(({ raw }) => toRawKey(raw)),
  )
  const read = new Set<number>()
  /** Not held when they were first read, though a commit in between may hold them now. */
  const fresh = new Set<number>()
  let joined: ReadonlySet<number> | null = null
  let doubtfulPages = 0
  let isBehind = false

  const note = (ids: readonly number[], held: ReadonlySet<number>) => {
    for (const id of ids) {
      if (!read.has(id) && !held.has(id)) fresh.add(id)
      read.add(id)
    }
  }
  const isKnown = (row: ServicePage['rows'][number], held: ReadonlySet<number>) =>
    row.ok
      ? held.has(row.rating.id) && !fresh.has(row.rating.id)
      : quarantine.has(toRawKey(row.raw))
  /** How many rows at the end of the page are held and old, down to its last. */
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
  }
}

/** Whether a row of the page is held and was posted up to `gaplessTo` (seconds since 1970). */
export async function isMet(
  archive: SyncArchive,
  page: ServicePage,
  gaplessTo: number,
): Promise<boolean> {
  const old = toRatings(page).filter(({ created_at }) => created_at <= gaplessTo)
  return (await archive.selectKnownIds(old.map(({ id }) => id))).size > 0
}

function isMostlyOld(ratings: readonly Rating[], gaplessTo: number): boolean {
  const old = ratings.filter(({ created_at }) => created_at <= gaplessTo).length
  return old > 0 && old * 2 >= ratings.length
}

const ID_IN_TEXT = /"id":\s*"?(-?\d{1,40})/

/** The id that a rejected row names, so that it stays the same row when its tallies move; else its text. */
const toRawKey = (raw: string): string => ID_IN_TEXT.exec(raw)?.[1] ?? raw
