import { expect, test } from 'vitest'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import {
  DAY,
  down,
  HOUR,
  SUNDAY,
  toCsv,
  toRating,
  WEDNESDAY,
} from './scripted-service.test-support.ts'
import {
  kindsOf,
  loadTally,
  openSync,
  told,
  watched,
  withOlderDump,
} from './sync-house.test-support.ts'
import { createVirtualTime } from './virtual-time.test-support.ts'

test('a service that is down over a Sunday is down for as long: a dump that fails is no success', async () => {
  const service = withOlderDump(20, 20)
  const { sync, time, start } = await openSync(service, { ...watched(), followSeconds: HOUR })
  await start()
  const sunday = nextEditionAt(WEDNESDAY)
  await time.pass(sunday - WEDNESDAY - 2 * HOUR)
  service.before = () => {
    throw down()
  }
  await time.pass(4 * HOUR)
  expect(sync.runs().filter(({ move }) => move === 'reconcile').length).toBeGreaterThan(2)
  expect(told(sync).join()).not.toMatch(/goes on|No longer: Nothing/)
  expect(sync.alarms()[0]?.since).toBeLessThan(sunday)
  expect(sync.state()).toMatchObject({ state: 'waiting', move: null, reason: down().message })
  expect(sync.state().next_at).toBeGreaterThan(time.at)
})

test('a run that does not even end when it is told to has its alarm stand: that is no sign of life', async () => {
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
  service.before = () => undefined
  end()
  await time.settled()
  expect(sync.heartbeat().stalled).toBe(false)
})

test('a dump that came while the clock was a month ahead holds up no other: the clock set right, it is fetched anew', async () => {
  const service = withOlderDump(20, 20)
  const time = createVirtualTime(WEDNESDAY + 30 * DAY)
  const { sync, start, archive, editions } = await openSync(service, { time, followSeconds: HOUR })
  await start()
  expect(editions.current('posts')?.edition).toBe('2026-12-13')
  service.ratings[2] = toRating(3, { tally_agree: 41 })
  service.dumps.posts = () => toCsv(service.ratings)
  service.requests.length = 0
  time.jump(-30 * DAY)
  await time.pass(HOUR)
  expect(service.requests.filter((what) => what === 'posts')).toHaveLength(1)
  expect(service.requests.filter((what) => what === 'lookups')).toHaveLength(1)
  expect(editions.list('posts').map(({ edition }) => edition)).toEqual([SUNDAY])
  expect(await loadTally(archive, 3)).toBe(41)
  await time.pass(nextEditionAt(WEDNESDAY) - time.at + HOUR)
  expect(editions.current('posts')?.edition).toBe('2026-11-22')
  expect(sync.runs().find(({ move }) => move === 'reconcile')?.outcome).toBe('done')
})
