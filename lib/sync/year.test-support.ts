import { createSync } from './create-sync.ts'
import { openEditions } from './editions.ts'
import { type LimitedService, limitService } from './limited-service.test-support.ts'
import { createRunLog } from './run-log.ts'
import {
  createBareArchive,
  createScriptedService,
  HOUR,
  makeFolder,
  range,
  toRating,
} from './scripted-service.test-support.ts'
import type { Sync } from './sync.ts'
import { createVirtualTime } from './virtual-time.test-support.ts'

const RESTART_SECONDS = 5 * HOUR
/** To read the folder of editions at each start would take most of a test's time. */
const EDITIONS_REOPENED = 8
/** The community rates this often. */
const RATING_SECONDS = 6 * HOUR

export type Year = {
  /** Requests of the month. */
  limit: number | null
  from: number
  to: number
  /** Whether the service answers. */
  isDown?: LimitedService['isDown']
  /** Whether people click "Sync now" every hour and look at a page of the service every third. */
  clicks?: boolean
  /** Looked at before each restart. */
  look?: (sync: Sync, at: number) => void
}

/** The sync of one archive through months of virtual time, begun anew every five hours, as machines are. */
export async function simulate(options: Year): Promise<LimitedService> {
  const { limit, from, to, isDown, clicks = false, look } = options
  const time = createVirtualTime(from)
  const { now, sleep } = time
  const post = (id: number) => toRating(id, { created_at: from + (id - 29) * RATING_SECONDS })
  const scripted = createScriptedService({ ratings: range(1, 29).map(post), pageSize: 100 })
  const service = limitService(scripted, { limit, now })
  if (isDown) service.isDown = isDown
  const archive = createBareArchive()
  const dir = await makeFolder()
  // What a file would keep over restarts.
  const kept = { runs: [] }
  let hour = 0
  let starts = 0
  let editions = await openEditions({ dir, upstream: service, now, keep: 2 })

  for (; time.at < to; starts += 1) {
    if (starts % EDITIONS_REOPENED === 0) {
      await editions.close()
      editions = await openEditions({ dir, upstream: service, now, keep: 2 })
    }
    const runLog = createRunLog(now, kept)
    const random = () => ((hour * 7919) % 1009) / 1009
    const sync = createSync({ archive, upstream: service, editions, now, sleep, random, runLog })
    sync.start()
    await time.settled()
    for (const end = time.at + RESTART_SECONDS; time.at < end; hour += 1) {
      await time.pass(HOUR)
      await time.settled()
      const posted = Math.floor((time.at - from) / RATING_SECONDS)
      while (scripted.ratings.length < 29 + posted) {
        scripted.ratings.push(post(scripted.ratings.length + 1))
      }
      if (clicks) sync.requestRun()
      if (clicks && hour % 3 === 0) {
        await service.fetchPage(3, { purpose: 'people' }).catch(() => undefined)
      }
    }
    look?.(sync, time.at)
    await sync.stop()
  }
  await editions.close()
  return service
}
