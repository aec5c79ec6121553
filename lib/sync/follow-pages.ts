import type { Validators } from '#lib/upstream/upstream.ts'
import { loadKnownRows } from './known-rows.ts'
import { createPageIntake, type PageIntake, type RunRows } from './page-intake.ts'
import type { PageOrder } from './page-order.ts'
import { type Reading, type Sweep, sweep } from './page-sweep.ts'
import type { FollowOptions } from './read-pages.ts'

/**
 * `readAt`: when the archive was complete, by our clock; null where what was read did not join what is held.
 * `validators`: what page 1 was told apart by then. `rows`: what the commits changed.
 */
export type FollowOutcome = {
  order: PageOrder
  pageSize: number
  readAt: number | null
  validators: Validators | null
  rows: RunRows | null
}

/**
 * Reads pages from the newest on until what is held is joined, and imports them all, the held rows too since their
 * tallies may have moved. Then page 1 is read again until nothing new stands on it.
 *
 * With `readAt` this is proved: every rating that the service listed all the while from then on is held, if it puts new
 * ones in front, keeps the rest in their order, and lists behind what is held nothing that is not. Rows that arrive
 * meanwhile push others to later pages: those are read twice. Rows that are deleted meanwhile pull others to pages that
 * were read: every place where that can have happened is looked at again (see `bridgeDoubts`).
 */
export async function followPages(options: FollowOptions): Promise<FollowOutcome> {
  const { archive, signal, rereads, keepPart, unchanged } = options
  const intake = createPageIntake(archive)
  let started: Reading['started'] = null
  if (unchanged && options.readIfChanged) {
    const readAt = options.now()
    const page = await options.readIfChanged(unchanged)
    if (page === null) return await endUnchanged(intake, readAt, unchanged)
    started = { page, readAt }
  }
  const known = await loadKnownRows(archive, options.gaplessTo, options.sparing)
  const reading: Reading = { ...options, intake, known, seen: { pages: 0 }, started }
  try {
    const first = await sweep(reading, null)
    let last = first
    let joined = first
    for (let count = 0; count < rereads && last.readAt !== null && last.pages > 1; count += 1) {
      known.join()
      last = await sweep(reading, last.head)
      if (last.readAt !== null) joined = last
    }
    await intake.commit(joined.readAt)
    return toOutcome(joined, intake)
  } catch (error) {
    if (keepPart && !signal.aborted) await intake.commit(null)
    throw error
  }
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
