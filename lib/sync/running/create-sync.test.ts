import { join } from 'node:path'
import { setTimeout as setTimer } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { selectQuarantine } from '#lib/archive/quarantine/quarantine.ts'
import { selectKnownIds, selectRatings } from '#lib/archive/ratings/ratings.ts'
import { AppError } from '#lib/contract/faults.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { createService } from '#lib/service/service.ts'
import { openEditions } from '#lib/sync/editions/edition-store.ts'
import { toSyncArchive } from '#lib/sync/sync-archive.ts'
import { createUpstream } from '#lib/upstream/client.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import {
  createScriptedService,
  DAY,
  down,
  HOUR,
  makeFolder,
  openTestArchive,
  range,
  toCsv,
  toRating,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'
import {
  community,
  createVirtualTime,
  knownDiscovery,
  loadTally,
  openSync,
  withOlderDump,
} from '#testing/sync/sync-in-virtual-time.ts'
import { createSync } from './create-sync.ts'

describe('a first start', () => {
  test('fills the archive from the dump, then from the newest pages, then fetches the lookups', async () => {
    const service = withOlderDump(70, 50)
    const { sync, archive, ids, start, editions } = await openSync(service)
    expect(sync.state().state).toBe('starting')
    await start()
    expect(await ids()).toEqual(range(1, 70))
    expect(service.requests).toEqual(['posts', '1', '0', '2', '3', '1', 'lookups'])
    expect(archive.state().completeTo).toBe(WEDNESDAY)
    expect(sync.state()).toEqual({
      state: 'idle',
      reason: null,
      move: null,
      progress: null,
      checked_at: WEDNESDAY,
      next_at: WEDNESDAY + 60,
    })
    expect(editions.current('lookups')?.rows).toBe(2)
  })

  test('tells at each moment what it is doing and how far it is', async () => {
    const service = withOlderDump(70, 50)
    const { sync, start } = await openSync(service)
    const seen = new Set<string>()
    sync.onChange(() => {
      const { state, progress } = sync.state()
      seen.add(`${state} ${progress?.step ?? '-'}`)
    })
    await start()
    for (const moment of [
      'bootstrapping importing',
      'bootstrapping deriving',
      'following reading',
      'reconciling -',
      'idle -',
    ]) {
      expect(seen).toContain(moment)
    }
  })

  test('puts an invalid row into quarantine and imports the rest', async () => {
    const service = createScriptedService({ ratings: community(30) })
    const lines = toCsv(service.ratings).split('\n')
    lines.splice(5, 0, '31,7,"A ""quoted""\nsymbol",9.5,x,1,y,much,0,0,0,1,a,2,b', '32,short')
    service.dumps.posts = () => lines.join('\r\n')
    const { archive, ids, start } = await openSync(service)
    await start()
    expect(await ids()).toEqual(range(1, 30))
    expect(archive.state().quarantined).toBe(2)
    const reasons = (await selectQuarantine(archive.reader, 9))
      .map(({ reason }) => reason)
      .join('\n')
    expect(reasons).toMatch(/rating: .*prediction: /)
    expect(reasons).toMatch(/2 cells under 15 columns/)
  })

  test('takes a row that repeats the key into quarantine without it, and all the rest in', async () => {
    const service = createScriptedService({ ratings: community(30) })
    const lines = toCsv(service.ratings).split('\n')
    const masked = '\u007f'.repeat(12)
    lines.splice(5, 0, `31,7,ABC,1,key ${masked} is unknown,1,y,1,0,0,0,1,a,2,b`)
    service.dumps.posts = () => lines.join('\n')
    const { archive, ids, start } = await openSync(service)
    await start()
    expect(await ids()).toEqual(range(1, 30))
    const [row, ...more] = await selectQuarantine(archive.reader, 9)
    expect(row).toMatchObject({ reason: 'repeats the service’s key' })
    expect(row?.raw).toContain('key [key] is unknown')
    expect(more).toEqual([])
  })

  test('waits and says why while the service is down, and recovers by itself', async () => {
    const service = withOlderDump(20, 20)
    service.before = () => {
      throw down()
    }
    const { sync, time, archive, ids, start } = await openSync(service)
    await start()
    expect(sync.state()).toMatchObject({ state: 'waiting', reason: down().message })
    expect(sync.state().next_at).toBe(WEDNESDAY + 5)
    expect(archive.state().completeTo).toBeNull()
    await time.pass(5 * HOUR)
    expect(sync.state().next_at).toBeLessThanOrEqual(time.at + 600)
    service.before = () => undefined
    await time.pass(HOUR)
    expect(sync.state()).toMatchObject({ state: 'idle', reason: null })
    expect(await ids()).toEqual(range(1, 20))
  })

  test('is filled from the pages of a service that has no dump', async () => {
    const service = createScriptedService({ ratings: community(95) })
    service.before = (what) => {
      if (what !== 'posts') return
      throw new AppError('upstream_contract', 'There is no dump.')
    }
    const { sync, archive, ids, start } = await openSync(service)
    await start()
    expect(await ids()).toEqual(range(1, 95))
    expect(archive.state().completeTo).toBe(WEDNESDAY)
    expect(sync.state()).toMatchObject({ state: 'idle', checked_at: WEDNESDAY })
    expect(sync.state().reason).toMatch(
      /^The posts dump of this week could not be fetched: There is no/,
    )
  })

  test('from pages goes on where it was interrupted, and misses nothing that came meanwhile', async () => {
    const service = createScriptedService({ ratings: community(95) })
    let answers = 5
    service.before = (what) => {
      if (what === 'posts') throw new AppError('upstream_contract', 'There is no dump.')
      if (what !== 'lookups' && answers-- <= 0) throw down()
    }
    const setup = await openSync(service)
    await setup.start()
    expect(setup.sync.state().state).toBe('waiting')
    expect(await setup.ids()).toEqual(range(56, 95))
    expect(setup.archive.state().completeTo).toBeNull()
    service.ratings.push(...range(96, 108).map((id) => toRating(id)))
    answers = 99
    await setup.sync.stop()
    service.requests.length = 0
    const { ids, start } = await openSync(service, setup)
    await start()
    expect(await ids()).toEqual(range(1, 108))
    expect(service.requests.slice(0, 3)).toEqual(['1', '0', '4'])
  })
})

describe('afterwards', () => {
  test('what is posted is held a minute later, and moved tallies of the newest page with it', async () => {
    const service = withOlderDump(20, 20)
    const { time, archive, ids, start } = await openSync(service)
    await start()
    service.ratings.push(...range(21, 37).map((id) => toRating(id)))
    service.ratings[14] = toRating(15, { tally_agree: 9 })
    await time.pass(70)
    await time.settled()
    expect(await ids()).toEqual(range(1, 37))
    expect(await loadTally(archive, 15)).toBe(9)
    expect(archive.state().completeTo).toBeGreaterThan(WEDNESDAY + 50)
  })

  test('a restart fetches no edition again and imports none again', async () => {
    const service = withOlderDump(20, 20)
    const setup = await openSync(service)
    await setup.start()
    await setup.sync.stop()
    const { generation } = setup.archive.state()
    service.requests.length = 0
    let imports = 0
    const archive: Archive = {
      ...setup.archive,
      state: () => setup.archive.state(),
      import: (source, fill) => {
        if (source.kind === 'dump') imports += 1
        return setup.archive.import(source, fill)
      },
    }
    const discovery = await knownDiscovery()
    const { start } = await openSync(service, { ...setup, archive, discovery })
    await start()
    expect(service.requests).toEqual(['1'])
    expect(imports).toBe(0)
    expect(archive.state().generation).toBe(generation)
  })

  test('an archive that was lost is filled again from the edition that is kept, without a request for it', async () => {
    const service = withOlderDump(20, 20)
    const { sync, start, time, dir } = await openSync(service)
    await start()
    await sync.stop()
    service.requests.length = 0
    const again = await openSync(service, { time, dir })
    await again.start()
    expect(await again.ids()).toEqual(range(1, 20))
    expect(service.requests).not.toContain('posts')
  })

  test('a new Sunday reconciles: old tallies that moved are updated', async () => {
    const service = withOlderDump(60, 50)
    const { sync, time, archive, editions, start } = await openSync(service, {
      followSeconds: HOUR,
    })
    await start()
    service.ratings[2] = toRating(3, { tally_agree: 41 })
    service.dumps.posts = () => toCsv(service.ratings)
    await time.pass(nextEditionAt(WEDNESDAY) - WEDNESDAY - 1)
    expect(await loadTally(archive, 3)).toBe(0)
    await time.pass(HOUR * 1.2)
    await time.settled()
    expect(await loadTally(archive, 3)).toBe(41)
    expect(editions.current('posts')?.edition).toBe('2026-11-22')
    expect(editions.current('lookups')?.edition).toBe('2026-11-22')
    expect(service.requests.filter((what) => what === 'posts')).toHaveLength(2)
    expect(sync.state().state).toBe('idle')
  })

  test('a Sunday whose dump does not come leaves the pages followed, and says so', async () => {
    const service = withOlderDump(60, 50)
    const { sync, time, ids, start } = await openSync(service, { followSeconds: HOUR })
    await start()
    service.before = (what) => {
      if (what === 'posts') throw down()
    }
    await time.pass(nextEditionAt(WEDNESDAY) - WEDNESDAY + 60)
    service.ratings.push(toRating(61))
    await time.pass(HOUR * 1.2)
    await time.settled()
    expect(await ids()).toEqual(range(1, 61))
    expect(sync.state()).toMatchObject({ state: 'idle' })
    expect(sync.state().reason).toMatch(/posts dump of this week could not be fetched/)
    service.before = () => undefined
    await time.pass(3 * HOUR)
    expect(sync.state().reason).toBeNull()
  })

  test('a dump that cannot be had for lookups stops nothing', async () => {
    const service = withOlderDump(60, 50)
    service.before = (what) => {
      if (what === 'lookups') throw new AppError('upstream_contract', 'There is none.')
    }
    const { sync, time, ids, start, editions } = await openSync(service)
    await start()
    service.ratings.push(toRating(61))
    await time.pass(90)
    await time.settled()
    expect(await ids()).toEqual(range(1, 61))
    expect(sync.state().state).toBe('idle')
    expect(editions.card('lookups')).toMatchObject({ state: 'failed', reason: 'There is none.' })
  })

  test('an error that nobody foresaw is waited out, and its text stays inside', async () => {
    const service = withOlderDump(60, 50)
    const { sync, time, start, archive, ids } = await openSync(service)
    const importRows = archive.import
    archive.import = () => Promise.reject(new Error('disk /secret/path is full'))
    await start()
    expect(sync.state()).toMatchObject({
      state: 'waiting',
      reason: 'The last run failed with an internal error. The sync will retry.',
    })
    archive.import = importRows
    await time.pass(30)
    await time.settled()
    expect(await ids()).toEqual(range(1, 60))
  })

  test('who asks is served within seconds, and a thousand who ask cost one follow', async () => {
    const service = withOlderDump(60, 50)
    const { sync, time, start, ids } = await openSync(service, { followSeconds: 3000 })
    await start()
    service.requests.length = 0
    service.ratings.push(toRating(61))
    for (let count = 0; count < 1000; count += 1) sync.requestRun()
    await time.pass(6)
    await time.settled()
    expect(await ids()).toEqual(range(1, 61))
    expect(service.requests).toEqual(['1', '2', '1'])
    await time.pass(1000)
    expect(service.requests).toHaveLength(3)
  })

  test('stop ends a run at once, and another start goes on', async () => {
    const service = withOlderDump(200, 20)
    const { sync, start, ids } = await openSync(service)
    let held = () => {}
    const reached = new Promise<void>((resolve) => {
      service.before = async (what) => {
        if (what !== '5') return
        resolve()
        await new Promise<void>((release) => {
          held = release
        })
      }
    })
    sync.start()
    await reached
    const stopped = sync.stop()
    held()
    await stopped
    expect(await ids()).toEqual(range(1, 20))
    service.before = () => undefined
    await start()
    expect(await ids()).toEqual(range(1, 200))
  })
})

async function openWorld(ratings: number, tailSeconds: number) {
  const time = createVirtualTime(WEDNESDAY)
  const { now } = time
  const service = await createService({
    dir: await makeFolder(),
    source: { kind: 'demo', ratings, seed: 7, tailSeconds },
    now,
    setTimer: () => () => undefined,
    sleep: setTimer,
  })
  onTestFinished(() => service.close())
  const key = await service.keys.ensure('tests', { perMinute: 1_000_000 })
  const ledger = await openLedger({ file: join(await makeFolder(), 'requests'), now })
  onTestFinished(() => ledger.close())
  const upstream = createUpstream({
    kind: 'embedded',
    baseUrl: new URL('http://service/service'),
    key,
    keyIn: 'query',
    transport: (request) => service.handle(request),
    ledger,
    limits: { perMinute: 60, perMonth: null },
    now,
    nowMs: () => performance.now(),
    sleep: async () => undefined,
    random: () => 0.5,
  })
  const editions = await openEditions({ dir: await makeFolder(), upstream, now })
  const { archive } = await openTestArchive(now)
  const { sleep } = time
  const sync = createSync({
    archive: toSyncArchive(archive),
    upstream,
    editions,
    now,
    sleep,
    followSeconds: 4 * HOUR,
  })
  onTestFinished(() => sync.stop())
  return { time, upstream, editions, archive, sync }
}

async function loadDifferences(upstream: Upstream, archive: Archive): Promise<number[]> {
  const missing: number[] = []
  for (let page = 1; ; page += 1) {
    const { rows } = await upstream.fetchPage(page)
    if (rows.length === 0) return missing
    const ids = rows.flatMap((row) => (row.ok ? [row.rating.id] : []))
    expect(ids).toHaveLength(rows.length)
    const held = await selectKnownIds(archive.reader, ids)
    missing.push(...ids.filter((id) => !held.has(id)))
  }
}

test('the archive of our own service holds what it serves, at first, after days, and after a Sunday', async () => {
  const { time, upstream, editions, archive, sync } = await openWorld(2000, 120)
  sync.start()
  await time.settled()
  expect(sync.state()).toMatchObject({ state: 'idle', reason: null })
  expect(await loadDifferences(upstream, archive)).toEqual([])
  expect(archive.state().quarantined).toBe(0)
  const before = archive.state().ratings

  await time.pass(2 * DAY)
  await time.settled()
  sync.requestRun()
  await time.pass(10)
  await time.settled()
  expect(archive.state().ratings).toBeGreaterThan(before + 200)
  expect(await loadDifferences(upstream, archive)).toEqual([])

  await time.pass(nextEditionAt(WEDNESDAY) - time.at + 5 * HOUR)
  await time.settled()
  expect(editions.current('posts')?.edition).toBe('2026-11-22')
  expect(editions.current('lookups')?.edition).toBe('2026-11-22')
  const at = time.at
  const { total } = await selectRatings(archive.reader, EVERY_RATING, { at })
  expect(total).toBeGreaterThanOrEqual(editions.current('posts')?.rows ?? 0)
  expect(sync.state()).toMatchObject({ state: 'idle', reason: null })
})
