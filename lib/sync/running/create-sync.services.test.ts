import { describe, expect, test } from 'vitest'
import {
  createScriptedService,
  range,
  toRating,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'
import { openSync, withOlderDump } from '#testing/sync/sync-in-virtual-time.ts'

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

  test('whose community is younger than its newest dump is followed all the same', async () => {
    const ratings = range(1, 40).map((id) =>
      toRating(id, { created_at: WEDNESDAY - 41_000 + id * 1000 }),
    )
    const service = createScriptedService({ ratings, pageSize: 8 })
    const { sync, time, start, archive } = await openSync(service)
    await start()
    expect(sync.state()).toMatchObject({ state: 'idle', reason: null })
    expect(archive.state().completeTo).toBeGreaterThanOrEqual(WEDNESDAY)
    service.requests.length = 0
    await time.pass(70)
    await time.settled()
    expect(service.requests).toEqual(['1'])
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
