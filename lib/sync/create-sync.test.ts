import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { streamRatings } from '#lib/archive/stream-ratings.test-support.ts'
import { AppError } from '#lib/contract/faults.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { editionAt, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { createSync } from './create-sync.ts'
import { openEditions } from './editions.ts'
import {
  createScriptedService,
  DAY,
  down,
  HOUR,
  loadIds,
  makeFolder,
  openTestArchive,
  range,
  type ScriptedService,
  SUNDAY,
  toCsv,
  toRating,
  WEDNESDAY,
} from './scripted-service.test-support.ts'
import { createVirtualTime, type VirtualTime } from './virtual-time.test-support.ts'

type House = { time?: VirtualTime; archive?: Archive; dir?: string; followSeconds?: number }

async function open(service: ScriptedService, house: House = {}) {
  const { time = createVirtualTime(WEDNESDAY), dir = await makeFolder() } = house
  const archive = house.archive ?? (await openTestArchive(time.now)).archive
  const editions = await openEditions({ dir, upstream: service, now: time.now })
  const { now, sleep } = time
  const { followSeconds } = house
  const sync = createSync({ archive, upstream: service, editions, now, sleep, followSeconds })
  onTestFinished(() => sync.stop())
  const ids = () => loadIds(archive, time.at)
  const start = async () => {
    sync.start()
    await time.settled()
  }
  return { time, dir, archive, editions, sync, ids, start }
}

const community = (last: number) => range(1, last).map((id) => toRating(id))
/** The posts dump of last Sunday, whatever came since. */
const withOlderDump = (ratings: number, dumped: number) => {
  const service = createScriptedService({ ratings: community(ratings) })
  service.dumps.posts = () => toCsv(community(dumped))
  return service
}

async function loadTally(archive: Archive, id: number): Promise<number | undefined> {
  for await (const rows of streamRatings(archive, EVERY_RATING, { at: WEDNESDAY })) {
    const row = rows.find((one) => one.id === id)
    if (row) return row.tally_agree
  }
}

describe('a first start', () => {
  test('fills the archive from the dump, then from the newest pages, then fetches the lookups', async () => {
    const service = withOlderDump(70, 50)
    const { sync, archive, ids, start, editions } = await open(service)
    expect(sync.state().state).toBe('starting')
    await start()
    expect(await ids()).toEqual(range(1, 70))
    expect(service.requests).toEqual(['posts', '1', '2', '3', '1', 'lookups'])
    expect(archive.state().completeTo).toBe(WEDNESDAY)
    expect(sync.state()).toEqual({
      state: 'idle',
      reason: null,
      progress: null,
      checked_at: WEDNESDAY,
      next_at: WEDNESDAY + 60,
    })
    expect(editions.current('lookups')?.rows).toBe(2)
  })

  test('tells at each moment what it is doing and how far it is', async () => {
    const service = withOlderDump(70, 50)
    const { sync, start } = await open(service)
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

  test('takes a row that breaks into quarantine, and all the rest in', async () => {
    const service = createScriptedService({ ratings: community(30) })
    const lines = toCsv(service.ratings).split('\n')
    lines.splice(5, 0, '31,7,"A ""quoted""\nsymbol",9.5,x,1,y,much,0,0,0,1,a,2,b', '32,short')
    service.dumps.posts = () => lines.join('\r\n')
    const { archive, ids, start } = await open(service)
    await start()
    expect(await ids()).toEqual(range(1, 30))
    expect(archive.state().quarantined).toBe(2)
    const reasons = (await archive.selectQuarantine(9)).map(({ reason }) => reason).join('\n')
    expect(reasons).toMatch(/rating: .*prediction: /)
    expect(reasons).toMatch(/2 cells under 15 columns/)
  })

  test('waits and says why while the service is down, and recovers by itself', async () => {
    const service = withOlderDump(20, 20)
    service.before = () => {
      throw down()
    }
    const { sync, time, archive, ids, start } = await open(service)
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
    const { sync, archive, ids, start } = await open(service)
    await start()
    expect(await ids()).toEqual(range(1, 95))
    expect(archive.state().completeTo).toBe(WEDNESDAY)
    expect(sync.state()).toMatchObject({ state: 'idle', checked_at: WEDNESDAY })
    expect(sync.state().reason).toMatch(
      /^The posts dump of this week could not be had: There is no/,
    )
  })

  test('from pages goes on where it was broken off, and misses nothing that came meanwhile', async () => {
    const service = createScriptedService({ ratings: community(95) })
    let answers = 4
    service.before = (what) => {
      if (what === 'posts') throw new AppError('upstream_contract', 'There is no dump.')
      if (what !== 'lookups' && answers-- <= 0) throw down()
    }
    const house = await open(service)
    await house.start()
    expect(house.sync.state().state).toBe('waiting')
    expect(await house.ids()).toEqual(range(56, 95))
    expect(house.archive.state().completeTo).toBeNull()
    service.ratings.push(...range(96, 108).map((id) => toRating(id)))
    answers = 99
    await house.sync.stop()
    service.requests.length = 0
    const { ids, start } = await open(service, house)
    await start()
    expect(await ids()).toEqual(range(1, 108))
    expect(service.requests.slice(0, 2)).toEqual(['1', '4'])
  })
})

describe('a key', () => {
  const refuse = () => {
    throw new AppError('upstream_refused', 'The service does not accept the key.')
  }

  test('that is refused stops the sync, which asks once an hour and goes on when it is accepted', async () => {
    const service = withOlderDump(20, 20)
    let asked = 0
    service.before = () => {
      asked += 1
      refuse()
    }
    const { sync, time, ids, start } = await open(service)
    await start()
    expect(sync.state()).toMatchObject({
      state: 'stopped',
      reason: 'The service does not accept the key.',
      next_at: WEDNESDAY + HOUR,
    })
    sync.requestRun()
    await time.pass(5 * HOUR - 1)
    expect(asked).toBe(5)
    service.before = () => undefined
    await time.pass(1)
    await time.settled()
    expect(sync.state().state).toBe('idle')
    expect(await ids()).toEqual(range(1, 20))
  })

  test('that is revoked later leaves the archive as it is', async () => {
    const service = withOlderDump(20, 20)
    const { sync, time, ids, start } = await open(service)
    await start()
    service.before = refuse
    await time.pass(61)
    await time.settled()
    expect(sync.state().state).toBe('stopped')
    expect(await ids()).toEqual(range(1, 20))
  })
})

describe('a budget', () => {
  test('that is spent makes the sync wait as long as it is told, without a request', async () => {
    const service = withOlderDump(20, 20)
    service.before = () => {
      throw new AppError('budget_spent', 'The month is spent.', { retryAfterSeconds: 9 * DAY })
    }
    const { sync, time, start } = await open(service)
    await start()
    expect(sync.state()).toMatchObject({
      state: 'waiting',
      reason: 'The month is spent.',
      next_at: WEDNESDAY + 9 * DAY,
    })
    sync.requestRun()
    await time.pass(8 * DAY)
    expect(service.requests).toEqual([])
  })

  test('of a minute is waited for in the middle of the pages', async () => {
    const service = withOlderDump(200, 20)
    let left = 6
    service.before = () => {
      left -= 1
      if (left >= 0) return
      throw new AppError('budget_spent', 'The minute is spent.', { retryAfterSeconds: 40 })
    }
    const { sync, time, ids, start } = await open(service)
    await start()
    expect(sync.state()).toMatchObject({ state: 'waiting', next_at: WEDNESDAY + 40 })
    left = 99
    await time.pass(41)
    await time.settled()
    expect(await ids()).toEqual(range(1, 200))
    expect(sync.state().state).toBe('idle')
  })

  test('of a month is spread over it, keeps requests for the dumps, and outlives restarts', async () => {
    const service = withOlderDump(20, 20)
    service.limits.month.limit = 100
    const first = await open(service)
    await first.start()
    await first.time.pass(2 * DAY)
    const follows = service.requests.filter((what) => what === '1').length
    expect(follows).toBeGreaterThan(4)
    expect(follows).toBeLessThan(16)
    await first.sync.stop()
    const before = service.requests.length
    const again = await open(service, first)
    await again.start()
    expect(service.requests).toHaveLength(before)
    for (let count = 0; count < 1000; count += 1) again.sync.requestRun()
    await again.time.pass(60)
    expect(service.requests.length - before).toBeLessThanOrEqual(1)
    service.limits.month.used = 97
    again.sync.requestRun()
    await again.time.pass(DAY)
    expect(again.sync.state()).toMatchObject({ state: 'waiting' })
    expect(again.sync.state().reason).toMatch(/kept for the weekly dumps/)
    expect(again.sync.state().next_at).toBeLessThanOrEqual(nextEditionAt(again.time.at))
  })
})

describe('afterwards', () => {
  test('what is posted is held a minute later, and moved tallies of the newest page with it', async () => {
    const service = withOlderDump(20, 20)
    const { time, archive, ids, start } = await open(service)
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
    const house = await open(service)
    await house.start()
    await house.sync.stop()
    const { generation } = house.archive.state()
    service.requests.length = 0
    let imports = 0
    const archive: Archive = {
      ...house.archive,
      state: () => house.archive.state(),
      beginImport: (source) => {
        if (source.kind === 'dump') imports += 1
        return house.archive.beginImport(source)
      },
    }
    const { start } = await open(service, { ...house, archive })
    await start()
    expect(service.requests).toEqual(['1'])
    expect(imports).toBe(0)
    expect(archive.state().generation).toBe(generation)
  })

  test('an archive that was lost is filled again from the edition that is kept, without a request for it', async () => {
    const service = withOlderDump(20, 20)
    const { sync, start, time, dir } = await open(service)
    await start()
    await sync.stop()
    service.requests.length = 0
    const again = await open(service, { time, dir })
    await again.start()
    expect(await again.ids()).toEqual(range(1, 20))
    expect(service.requests).not.toContain('posts')
  })

  test('a new Sunday reconciles: old tallies that moved are updated', async () => {
    const service = withOlderDump(60, 50)
    const { sync, time, archive, editions, start } = await open(service, { followSeconds: HOUR })
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
    const { sync, time, ids, start } = await open(service, { followSeconds: HOUR })
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
    const { sync, time, ids, start, editions } = await open(service)
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
    const { sync, time, start, archive, ids } = await open(service)
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
    const { sync, time, start, ids } = await open(service, { followSeconds: 3000 })
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
    const { sync, start, ids } = await open(service)
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

test('stopped in the middle of an import, the archive is as it was, and the next start goes on', async () => {
  const service = withOlderDump(60, 60)
  service.chunk = 50
  const { sync, archive, ids, start } = await open(service)
  const beginImport = archive.beginImport
  let stopped: Promise<void> | null = null
  archive.beginImport = async (source) => {
    const run = await beginImport(source)
    stopped ??= sync.stop()
    return run
  }
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
    const { sync, time, ids, start, archive } = await open(service)
    await start()
    expect(await ids()).toEqual(range(1, 63))
    service.ratings.push(...range(64, 85).map((id) => toRating(id)))
    service.requests.length = 0
    await time.pass(70)
    await time.settled()
    expect(await ids()).toEqual(range(1, 85))
    expect(service.requests).toEqual(['6', '7', '8', '9'])
    expect(sync.state()).toMatchObject({ state: 'idle', reason: null })
    expect(archive.state().completeTo).toBeGreaterThan(WEDNESDAY + 50)
  })

  test('that lists them in no order is mirrored by its dumps, and the state says so', async () => {
    const service = withOlderDump(63, 50)
    service.order = 'shuffled'
    service.pageSize = 20
    const { sync, time, start, archive } = await open(service)
    await start()
    await time.pass(600)
    expect(sync.state().reason).toMatch(/in no order of time/)
    expect(archive.state().completeTo).toBe(editionAt(WEDNESDAY))
  })

  test.each([
    ['knows only one page', () => 1],
    ['repeats its last page', (page: number) => Math.min(page, 7)],
  ])('that %s does not keep the reading going', async (_, toPage) => {
    const service = createScriptedService({ ratings: community(70), toPage })
    service.before = (what) => {
      if (what === 'posts') throw new AppError('upstream_contract', 'There is no dump.')
    }
    const { start, ids } = await open(service)
    await start()
    expect((await ids()).at(-1)).toBe(70)
    expect(service.requests.length).toBeLessThan(16)
  })

  test('whose page holds a row that is no rating is read a page further, once', async () => {
    const service = withOlderDump(63, 63)
    service.broken = [{ id: 'x' }]
    const { time, start, archive } = await open(service)
    await start()
    expect(archive.state().quarantined).toBe(1)
    service.requests.length = 0
    await time.pass(70)
    await time.settled()
    expect(service.requests).toEqual(['1'])
  })

  test('that lists nothing but what is no rating is reported, and read no further', async () => {
    const service = withOlderDump(10, 10)
    service.broken = range(1, 500).map((id) => ({ id: `no ${id}` }))
    const { sync, start } = await open(service)
    await start()
    expect(sync.state()).toMatchObject({ state: 'waiting' })
    expect(sync.state().reason).toMatch(/nothing that is a rating/)
    expect(service.requests).toEqual(['posts', '1', '2', '3'])
  })
})

test('the name of an import is that of its edition', async () => {
  const service = withOlderDump(20, 20)
  const { archive, start } = await open(service)
  const sources: string[] = []
  const beginImport = archive.beginImport
  archive.beginImport = (source) => {
    sources.push(`${source.kind} ${source.name}`)
    return beginImport(source)
  }
  await start()
  expect(sources).toEqual([`dump ${SUNDAY}`, 'pages 1'])
})

test('an archive in a file holds after a restart what it held before', async () => {
  const service = withOlderDump(20, 15)
  const time = createVirtualTime(WEDNESDAY)
  const path = join(await makeFolder(), 'archive.duckdb')
  const { archive, close } = await openTestArchive(time.now, path)
  const house = await open(service, { time, archive })
  await house.start()
  await house.sync.stop()
  const state = archive.state()
  await close()
  const { archive: reopened } = await openTestArchive(time.now, path)
  const again = await open(service, { ...house, archive: reopened })
  expect(again.archive.state()).toEqual(state)
  await again.start()
  expect(await again.ids()).toEqual(range(1, 20))
})
