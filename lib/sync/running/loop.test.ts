import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import {
  DAY,
  down,
  HOUR,
  makeFolder,
  SUNDAY,
  toCsv,
  toRating,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'
import {
  createVirtualTime,
  kindsOf,
  loadTally,
  openSync,
  told,
  watched,
  withOlderDump,
} from '#testing/sync/sync-in-virtual-time.ts'
import { openRunLog } from './run-log.ts'

describe('an alarm', () => {
  test('is raised while the service is down, told of, and cleared when it is back', async () => {
    const service = withOlderDump(20, 20)
    const { sync, time, start } = await openSync(service, watched())
    await start()
    expect(sync.alarms()).toEqual([])
    service.before = () => {
      throw down()
    }
    await time.pass(10 * 60)
    expect(kindsOf(sync)).toEqual([])
    await time.pass(10 * 60)
    expect(kindsOf(sync)).toEqual(['unreachable'])
    expect(told(sync)[0]).toMatch(/The service cannot be read/)
    service.before = () => undefined
    await time.pass(20 * 60)
    expect(sync.alarms()).toEqual([])
    expect(told(sync).filter((text) => text.startsWith('No longer:'))).toHaveLength(1)
    expect(told(sync).filter((text) => text.startsWith('The sync waits'))).toHaveLength(1)
  })
})

describe('the loop', () => {
  test('that hangs is interrupted and restarted, and nothing is lost', async () => {
    const service = withOlderDump(20, 20)
    const { sync, time, start, ids } = await openSync(service, watched())
    await start()
    let end = () => {}
    const reached = new Promise<void>((resolve) => {
      service.before = (what) => {
        if (what !== '1') return
        resolve()
        return new Promise<void>((_, reject) => {
          end = () => reject(new Error('ended'))
        })
      }
    })
    sync.onEvent(({ message }) => {
      if (!message.includes('was restarted')) return
      service.before = () => undefined
      end()
    })
    service.ratings.push(toRating(21))
    await time.tick(61)
    await reached
    const { at } = sync.heartbeat()
    while (sync.heartbeat().restarts === 0 && time.at < at + 2 * HOUR) await time.tick(60)
    expect(time.at - at).toBeGreaterThan(45 * 60)
    await time.settled()
    expect(sync.heartbeat()).toMatchObject({ stalled: false, restarts: 1 })
    expect(await ids()).toContain(21)
    expect(told(sync).join()).toMatch(/was restarted/)
  })

  test('outlives what throws where nothing should: a listener, a log, the plan itself', async () => {
    const service = withOlderDump(20, 20)
    const log = () => {
      throw new Error('the log is gone')
    }
    const { sync, time, start, ids } = await openSync(service, { ...watched(), log })
    sync.onChange(() => {
      throw new Error('the listener is gone')
    })
    await start()
    const budget = service.budget
    service.budget = () => {
      throw new Error('no budget')
    }
    await time.pass(10 * 60)
    service.budget = budget
    service.before = () => {
      throw down()
    }
    await time.pass(10 * 60)
    service.before = () => undefined
    service.ratings.push(toRating(21))
    await time.pass(20 * 60)
    expect(await ids()).toContain(21)
    expect(sync.state().state).toBe('idle')
  })

  test.each([-DAY, DAY])('does not mind a clock that is set by %i seconds', async (seconds) => {
    const service = withOlderDump(20, 20)
    const { sync, time, start, ids } = await openSync(service, watched())
    await start()
    time.jump(seconds)
    service.ratings.push(toRating(21))
    await time.pass(20 * 60)
    expect(await ids()).toContain(21)
    expect(sync.heartbeat()).toMatchObject({ stalled: false, restarts: 0 })
    for (const { at } of sync.plan()) expect(at).toBeGreaterThanOrEqual(time.at)
  })
})

test('what ran is told with its requests and rows, and a run that was killed as interrupted', async () => {
  const service = withOlderDump(70, 50)
  const time = createVirtualTime(WEDNESDAY)
  const file = join(await makeFolder(), 'runs.ndjson')
  const runLog = await openRunLog({ file, now: time.now })
  const { sync, start } = await openSync(service, { time, runLog })
  await start()
  const [lookups, follow, bootstrap] = sync.runs()
  expect(lookups).toMatchObject({ move: 'lookups', outcome: 'done' })
  expect(follow).toMatchObject({ move: 'follow', outcome: 'done', reason: null })
  expect(bootstrap).toMatchObject({ move: 'bootstrap', rows: { inserted: 50, vanished: 0 } })
  runLog.begin('follow')
  await runLog.close()
  expect((await openRunLog({ file, now: time.now })).list()[0]).toMatchObject({
    move: 'follow',
    outcome: 'interrupted',
  })
})

test('what happens is told for people, and a minute without news is not', async () => {
  const service = withOlderDump(20, 20)
  const { sync, time, start } = await openSync(service, { expectsNew: false })
  await start()
  expect(told(sync).sort()).toEqual([
    'The archive was filled: 20 ratings.',
    'The lookups dump of 2026-11-15 was fetched: 2 rows.',
    'The posts dump of 2026-11-15 was fetched: 20 rows.',
  ])
  await time.pass(10 * 60)
  expect(told(sync)).toHaveLength(3)
  service.ratings.push(toRating(21))
  await time.pass(70)
  expect(told(sync)[0]).toBe('1 new rating received.')
})

test('a run that does not even end when it is told to has its alarm stand, and is no longer alive after three times as long', async () => {
  const service = withOlderDump(20, 20)
  const { sync, time, start } = await openSync(service, watched())
  await start()
  let end = () => {}
  const reached = new Promise<void>((resolve) => {
    service.before = () => {
      resolve()
      return new Promise<void>((_, reject) => {
        end = () => reject(new Error('ended'))
      })
    }
  })
  const raised = new Promise<void>((resolve) => {
    sync.onEvent(({ kind }) => {
      if (kind === 'alarm') resolve()
    })
  })
  await time.tick(61)
  await reached
  const { at } = time
  while (time.at < at + HOUR) await time.tick(60)
  await raised
  expect(sync.heartbeat()).toMatchObject({ stalled: true, restarts: 1 })
  expect(kindsOf(sync)).toEqual(['stalled'])
  while (time.at < at + 3 * HOUR) await time.tick(60)
  expect(sync.heartbeat()).toMatchObject({ stalled: true, restarts: 3 })
  service.before = () => undefined
  end()
  await time.settled()
  expect(sync.heartbeat().stalled).toBe(false)
})

test('a clock that was 40 days ahead, and is set right, leaves nothing complete beyond now, and pages are followed on', async () => {
  const service = withOlderDump(20, 20)
  const time = createVirtualTime(WEDNESDAY + 40 * DAY)
  const { start, archive, ids } = await openSync(service, { time, followSeconds: HOUR })
  await start()
  expect(archive.state().completeTo).toBeGreaterThan(WEDNESDAY + 39 * DAY)
  time.jump(-40 * DAY)
  expect(archive.state().completeTo).toBeLessThanOrEqual(time.at)
  service.ratings.push(toRating(90, { created_at: time.at }))
  await time.pass(2 * HOUR)
  expect(await ids()).toContain(90)
  expect(archive.state().completeTo).toBeLessThanOrEqual(time.at)
  expect(archive.state().completeTo).toBeGreaterThan(time.at - 2 * HOUR)
})

test('a dump that came while the clock was a month ahead holds up no other: the clock set right, it is fetched anew', async () => {
  const service = withOlderDump(20, 20)
  const time = createVirtualTime(WEDNESDAY + 30 * DAY)
  const { sync, start, archive, editions } = await openSync(service, {
    time,
    followSeconds: 4 * HOUR,
  })
  await start()
  expect(editions.current('posts')?.edition).toBe('2026-12-13')
  service.ratings[2] = toRating(3, { tally_agree: 41 })
  service.dumps.posts = () => toCsv(service.ratings)
  service.requests.length = 0
  time.jump(-30 * DAY)
  await time.pass(4 * HOUR)
  expect(service.requests.filter((what) => what === 'posts')).toHaveLength(1)
  expect(service.requests.filter((what) => what === 'lookups')).toHaveLength(1)
  expect(editions.list('posts').map(({ edition }) => edition)).toEqual([SUNDAY])
  expect(await loadTally(archive, 3)).toBe(41)
  await time.pass(nextEditionAt(WEDNESDAY) - time.at + HOUR)
  expect(editions.current('posts')?.edition).toBe('2026-11-22')
  expect(sync.runs().find(({ move }) => move === 'reconcile')?.outcome).toBe('done')
})
