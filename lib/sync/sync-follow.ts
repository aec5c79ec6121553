import { followFromEnd } from './follow-from-end.ts'
import { type FollowOutcome, followPages, type ReadPages } from './follow-pages.ts'
import type { PageReader } from './page-reader.ts'
import type { SyncArchive } from './sync.ts'
import type { SyncStatus } from './sync-status.ts'

/** How often page 1 is read again for what came meanwhile. */
const REREADS = 5
const UNORDERED =
  'The service lists its ratings in no order of time: new ones arrive with the weekly dump only.'
const NOT_JOINED = 'Not every new rating could be read: the rest arrive with the weekly dump.'

/** One reading of pages, and the reader behind it, which counts. */
export type NewReading = (signal: AbortSignal) => { reading: ReadPages; reader: PageReader }

/** `reason`: a sentence where what was read does not make the archive complete. */
export type Followed = { requests: number; reason: string | null }

export type Following = {
  /** `sparing` where requests are scarce: page 1 is then read once. Throws AppError. */
  follow(signal: AbortSignal, sparing: boolean): Promise<Followed>
}

/** The step of a sync that reads the newest pages, from whichever end of the list they are at. */
export function createFollowing(deps: {
  archive: SyncArchive
  status: SyncStatus
  newReading: NewReading
}): Following {
  const { archive, status } = deps
  let paging: FollowOutcome | null = null

  const read = async (reading: ReadPages, sparing: boolean): Promise<FollowOutcome> => {
    if (paging?.order !== 'oldest') {
      const gaplessTo = archive.state().completeTo ?? 0
      const rereads = sparing ? 0 : REREADS
      paging = await followPages({ ...reading, gaplessTo, rereads, keepPart: true })
    }
    if (paging.order !== 'oldest') return paging
    return { ...paging, readAt: await followFromEnd({ ...reading, pageSize: paging.pageSize }) }
  }
  return {
    async follow(signal, sparing) {
      status.enter('following')
      const { reading, reader } = deps.newReading(signal)
      const { order, readAt } = await read(reading, sparing)
      if (readAt !== null) status.set({ checked_at: readAt })
      const reason = order === 'none' ? UNORDERED : NOT_JOINED
      return { requests: reader.requests(), reason: readAt === null ? reason : null }
    },
  }
}
