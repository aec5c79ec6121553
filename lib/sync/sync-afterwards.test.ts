import { describe, expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { AppError } from '#lib/contract/faults.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { down, HOUR, range, toCsv, toRating, WEDNESDAY } from './scripted-service.test-support.ts'
import { loadTally, openSync, withOlderDump } from './sync-house.test-support.ts'

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
      beginImport: (source) => {
        if (source.kind === 'dump') imports += 1
        return setup.archive.beginImport(source)
      },
    }
    const { start } = await openSync(service, { ...setup, archive })
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
    expect(sync.state().reason).toMatch(/posts dump of this week could not be had/)
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
    const beginImport = archive.beginImport
    archive.beginImport = () => Promise.reject(new Error('disk /secret/path is full'))
    await start()
    expect(sync.state()).toMatchObject({
      state: 'waiting',
      reason: 'The last run failed on our side. It is tried again.',
    })
    archive.beginImport = beginImport
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
