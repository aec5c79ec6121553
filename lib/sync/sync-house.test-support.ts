import { onTestFinished } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { streamRatings } from '#lib/archive/stream-ratings.test-support.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { createSync, type SyncDeps } from './create-sync.ts'
import { openEditions } from './editions.ts'
import {
  createScriptedService,
  loadIds,
  makeFolder,
  openTestArchive,
  range,
  toCsv,
  toRating,
  WEDNESDAY,
} from './scripted-service.test-support.ts'
import type { Sync } from './sync.ts'
import { createVirtualTime, type VirtualTime } from './virtual-time.test-support.ts'

type House = Partial<Omit<SyncDeps, 'now' | 'sleep' | 'editions' | 'upstream' | 'archive'>> & {
  time?: VirtualTime
  archive?: Archive
  dir?: string
}

/** A house whose watchdog looks by the virtual clock, and where nobody is expected to post. */
export function watched() {
  const time = createVirtualTime(WEDNESDAY)
  return { time, every: time.every, expectsNew: false }
}

/** The alarms that stand. */
export const kindsOf = (sync: Sync) => sync.alarms().map(({ kind }) => kind)

/** The latest of what the event log says. */
export const told = (sync: Sync) => sync.events(100).map(({ message }) => message)

/** A sync with a service, an archive and a folder of its own, by a clock that stands. */
export async function openSync(service: Upstream, setup: House = {}) {
  const { time = createVirtualTime(WEDNESDAY), dir = await makeFolder() } = setup
  const archive = setup.archive ?? (await openTestArchive(time.now)).archive
  const editions = await openEditions({ dir, upstream: service, now: time.now })
  onTestFinished(() => editions.close())
  const { now, sleep } = time
  const sync = createSync({ ...setup, archive, upstream: service, editions, now, sleep })
  onTestFinished(() => sync.stop())
  const ids = () => loadIds(archive, time.at)
  const start = async () => {
    sync.start()
    await time.settled()
  }
  return { time, dir, archive, editions, sync, ids, start }
}

export const community = (last: number) => range(1, last).map((id) => toRating(id))

/** A service whose posts dump is of last Sunday, whatever came since. */
export function withOlderDump(ratings: number, dumped: number) {
  const service = createScriptedService({ ratings: community(ratings) })
  service.dumps.posts = () => toCsv(community(dumped))
  return service
}

export async function loadTally(archive: Archive, id: number): Promise<number | undefined> {
  for await (const rows of streamRatings(archive, EVERY_RATING, { at: WEDNESDAY })) {
    const row = rows.find((one) => one.id === id)
    if (row) return row.tally_agree
  }
}
