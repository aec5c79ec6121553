import type { ServicePage } from '#lib/upstream/upstream.ts'
import type { SyncArchive } from './sync.ts'

/** What of the pages being read was there before. */
export type KnownRows = {
  /** Notes the page's rows; true where they join what is held without a gap. */
  isJoined(page: ServicePage): Promise<boolean>
  /** What was read so far has joined: from now on, to meet any of it is to have joined. */
  join(): void
}

const QUARANTINE_READ = 5_000
/** So many pages whose readable rows are all held are enough, whatever the unreadable ones may be. */
const DOUBTFUL_PAGES = 3

/** `gaplessTo` in seconds since 1970: rows posted up to then are all held. */
export async function loadKnownRows(archive: SyncArchive, gaplessTo: number): Promise<KnownRows> {
  const quarantine = new Set(
    (await archive.selectQuarantine(QUARANTINE_READ)).map(({ raw }) => raw),
  )
  const read = new Set<number>()
  /** Not held when they were first read, though a commit in between may hold them now. */
  const fresh = new Set<number>()
  let joined: ReadonlySet<number> | null = null
  let doubtfulPages = 0

  const note = (ids: readonly number[], held: ReadonlySet<number>) => {
    for (const id of ids) {
      if (!read.has(id) && !held.has(id)) fresh.add(id)
      read.add(id)
    }
  }
  return {
    async isJoined({ rows }) {
      const ratings = rows.flatMap((row) => (row.ok ? [row.rating] : []))
      const ids = ratings.map(({ id }) => id)
      const held = await archive.selectKnownIds(ids)
      note(ids, held)
      if (joined) return ids.some((id) => joined?.has(id))
      const isHeld = ids.every((id) => held.has(id) && !fresh.has(id))
      const isBehind = ratings.some(({ created_at }) => created_at <= gaplessTo)
      const isDoubtful = rows.some((row) => !row.ok && !quarantine.has(row.raw))
      doubtfulPages = isHeld && isBehind ? doubtfulPages + 1 : 0
      return isHeld && isBehind && (!isDoubtful || doubtfulPages >= DOUBTFUL_PAGES)
    },
    join() {
      joined = new Set(read)
    },
  }
}
