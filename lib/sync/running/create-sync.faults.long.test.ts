import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { editionAt, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { openEditions } from '#lib/sync/editions/edition-store.ts'
import { toSyncArchive } from '#lib/sync/sync-archive.ts'
import { createUpstream } from '#lib/upstream/client.ts'
import { TransportFailure } from '#lib/upstream/failures.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import type { Transport } from '#lib/upstream/upstream.ts'
import { streamRatings } from '#testing/archive/stream-ratings.ts'
import { draws, SEED } from '#testing/draws.ts'
import { type FaultPoint, failEachCall } from '#testing/fault-loop.ts'
import * as faults from '#testing/hostile-service/faults.ts'
import {
  createHostileService,
  type HostileService,
} from '#testing/hostile-service/hostile-service.ts'
import { makeRating, toCsv } from '#testing/make-ratings.ts'
import {
  DAY,
  HOUR,
  makeFolder,
  openTestArchive,
  range,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'
import { createVirtualTime, type VirtualTime } from '#testing/sync/sync-in-virtual-time.ts'
import { createSync } from './create-sync.ts'

const KEY = 'CANARY-of-the-loop'

const FAULTS = [
  faults.reset(),
  faults.cut('half'),
  faults.cut(40, 'end'),
  faults.cutGzip(),
  faults.lyingLength(10),
  faults.status(503),
  faults.status(500, { 'retry-after': '120' }),
  faults.status(404),
  faults.tooMany('7200'),
  faults.tooMany(null),
  faults.refusal(),
  faults.webPage(),
  faults.hiddenFailure(429),
  faults.pageOf(null),
  faults.bytes('application/json', '{"success":true,"data":[{"id":'),
  faults.bytes('text/csv', ''),
  faults.echo(),
  faults.redirect(() => 'http://elsewhere/'),
]

function toPost(id: number, change: Partial<Rating> = {}): Rating {
  const created_at = id <= 40 ? WEDNESDAY - (40 - id) * 6 * HOUR : WEDNESDAY + id
  return makeRating(id, { created_at, ...change })
}

async function openWorld(point: FaultPoint) {
  const time = createVirtualTime(WEDNESDAY)
  const { now, sleep } = time
  const toBreak = () => new TransportFailure('network', 'The connection was lost.')
  const service = createHostileService({ now, toBreak }, { key: KEY, pageSize: 8 })
  const transport: Transport = async (request) => {
    try {
      point.pass()
    } catch (fault) {
      service.misbehave(fault as faults.Fault, { times: 1 })
    }
    return await service.handle(request)
  }
  const logged: unknown[] = []
  const log = (...line: unknown[]) => logged.push(line)
  const ledger = await openLedger({ file: join(await makeFolder(), 'requests'), now })
  const upstream = createUpstream({
    kind: 'remote',
    baseUrl: new URL('http://service/base'),
    key: KEY,
    keyIn: 'query',
    transport,
    ledger,
    limits: { perMinute: null, perMonth: null },
    now,
    nowMs: () => time.at * 1000,
    sleep: async () => undefined,
    random: () => 0.5,
    log,
  })
  const editions = await openEditions({ dir: await makeFolder(), upstream, now, log })
  const { archive, close } = await openTestArchive(now)
  const sync = createSync({
    archive: toSyncArchive(archive),
    upstream,
    editions,
    now,
    sleep,
    followSeconds: DAY,
    log,
  })
  onTestFinished(() => sync.stop())
  const end = async () => {
    await sync.stop()
    await Promise.all([close(), ledger.close()])
  }
  return { time, service, upstream, archive, sync, logged, end }
}

async function live({ time, service, sync }: World): Promise<void> {
  service.ratings = range(1, 40).map((id) => toPost(id))
  service.dumps.posts = ({ ratings }) =>
    toCsv(ratings.filter(({ created_at }) => created_at < editionAt(time.at)))
  sync.start()
  await time.pass(HOUR)
  service.ratings.push(...range(41, 60).map((id) => toPost(id)))
  await time.pass(DAY)
  service.ratings[2] = toPost(3, { tally_agree: 77, expired_at: WEDNESDAY })
  await time.pass(nextEditionAt(WEDNESDAY) - time.at)
  await time.pass(2 * DAY)
}

type World = Pick<Awaited<ReturnType<typeof openWorld>>, 'sync'> & {
  time: VirtualTime
  service: HostileService
}

async function loadAll(archive: Archive, at: number): Promise<Rating[]> {
  const found: Rating[] = []
  for await (const rows of streamRatings(archive, EVERY_RATING, { at })) {
    for (const row of rows) {
      found.push(Object.fromEntries(RATING_FIELDS.map((name) => [name, row[name]])) as Rating)
    }
  }
  return found.sort((a, b) => a.id - b.id)
}

test('whichever request fails, and however, the archive equals its source again without help', async () => {
  const run = async (point: FaultPoint) => {
    const world = await openWorld(point)
    const { time, service, upstream, archive, logged, end } = world
    await live(world)
    expect(await loadAll(archive, time.at)).toEqual(service.ratings)
    expect(archive.state()).toMatchObject({ quarantined: 0, vanished: 0 })
    expect(upstream.budget().month.used).toBeGreaterThanOrEqual(service.count())
    expect(JSON.stringify(logged)).not.toContain(KEY)
    await end()
  }
  const failures = FAULTS.map((fault) => () => fault)
  const { calls, unreached } = await failEachCall({ run, failures, seed: SEED, most: draws(40) })
  expect(calls).toBeGreaterThan(10)
  expect(unreached).toEqual([])
})
