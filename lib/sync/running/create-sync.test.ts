import { describe, expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { AppError } from '#lib/contract/faults.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import {
  createScriptedService,
  down,
  HOUR,
  range,
  toRating,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'
import {
  community,
  knownDiscovery,
  openSync,
  withOlderDump,
} from '#testing/sync/sync-in-virtual-time.ts'

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
})

describe('afterwards', () => {
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
})

test('stopped in the middle of an import, the archive is as it was, and the next start goes on', async () => {
  const service = withOlderDump(60, 60)
  service.chunk = 50
  const { sync, archive, ids, start } = await openSync(service)
  const importRows = archive.import
  let stopped: Promise<void> | null = null
  archive.import = (source, fill) =>
    importRows(source, async (run) => {
      stopped ??= sync.stop()
      return await fill(run)
    })
  sync.start()
  await new Promise<void>((resolve) => {
    sync.onChange(() => sync.state().progress?.step === 'importing' && resolve())
  })
  await stopped
  expect(archive.state()).toMatchObject({ ratings: 0, generation: 0, completeTo: null })
  await start()
  expect(await ids()).toEqual(range(1, 60))
  expect(service.requests.filter((what) => what === 'posts')).toHaveLength(1)
})

describe('a service', () => {
  test('that lists its oldest ratings first is followed from the end', async () => {
    const service = withOlderDump(63, 50)
    service.order = 'oldest'
    const { sync, time, ids, start, archive } = await openSync(service)
    await start()
    expect(await ids()).toEqual(range(1, 63))
    service.ratings.push(...range(64, 85).map((id) => toRating(id)))
    service.requests.length = 0
    await time.pass(70)
    await time.settled()
    expect(await ids()).toEqual(range(1, 85))
    expect(service.requests).toEqual(['7', '8', '9'])
    expect(sync.state()).toMatchObject({ state: 'idle', reason: null })
    expect(archive.state().completeTo).toBeGreaterThan(WEDNESDAY + 50)
  })

  test('that lists them in no order is mirrored by its dumps, and the state says so', async () => {
    const service = withOlderDump(63, 50)
    service.order = 'shuffled'
    service.pageSize = 20
    const { sync, time, start, archive } = await openSync(service)
    await start()
    await time.pass(600)
    expect(sync.state().reason).toMatch(/in no time order/)
    expect(archive.state().completeTo).toBe(service.ratings[49]?.created_at)
  })

  test('that lists nothing but what is no rating is reported, and read no further', async () => {
    const service = withOlderDump(10, 10)
    service.broken = range(1, 500).map((id) => ({ id: `no ${id}` }))
    const { sync, start } = await openSync(service)
    await start()
    expect(sync.state()).toMatchObject({ state: 'waiting' })
    expect(sync.state().reason).toMatch(/are not ratings/)
    expect(service.requests).toEqual(['posts', '1', '0'])
  })
})
