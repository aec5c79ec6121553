import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { DAY, HOUR, limitService, range, WEDNESDAY } from '#testing/sync/scripted-service.ts'
import {
  createVirtualTime,
  knownDiscovery,
  openSync,
  withOlderDump,
} from '#testing/sync/sync-in-virtual-time.ts'

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
    const { sync, time, ids, start } = await openSync(service)
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

  test('that replaces a refused one is tried at once', async () => {
    const service = withOlderDump(20, 20)
    service.before = refuse
    const { sync, time, ids, start } = await openSync(service)
    await start()
    service.before = () => undefined
    sync.retry()
    await time.pass(1)
    expect(sync.state().state).toBe('idle')
    expect(await ids()).toEqual(range(1, 20))
  })
})

describe('a budget', () => {
  test('of a minute is waited for in the middle of the pages', async () => {
    const service = withOlderDump(200, 20)
    let left = 6
    service.before = () => {
      left -= 1
      if (left >= 0) return
      throw new AppError('budget_spent', 'The minute is spent.', { retryAfterSeconds: 40 })
    }
    const { sync, time, ids, start } = await openSync(service)
    await start()
    expect(sync.state()).toMatchObject({ state: 'waiting', next_at: WEDNESDAY + 40 })
    left = 99
    await time.pass(41)
    await time.settled()
    expect(await ids()).toEqual(range(1, 200))
    expect(sync.state().state).toBe('idle')
  })

  test('of a minute that a click waits for leaves its request on the account of people, counted once', async () => {
    const time = createVirtualTime(WEDNESDAY)
    const limited = limitService(withOlderDump(20, 20), { limit: 1000, now: time.now })
    let isMinuteSpent = false
    const fetchPage: typeof limited.fetchPage = async (page, options) => {
      if (!isMinuteSpent) return await limited.fetchPage(page, options)
      isMinuteSpent = false
      throw new AppError('budget_spent', 'The minute is spent.', { retryAfterSeconds: 40 })
    }
    const { sync, start } = await openSync({ ...limited, fetchPage }, { time })
    await start()
    await time.pass(600)
    const before = limited.budget().spent
    isMinuteSpent = true
    sync.requestRun()
    await time.pass(1)
    expect(sync.state()).toMatchObject({ state: 'waiting', reason: 'The minute is spent.' })
    await time.pass(40)
    await time.settled()
    expect(limited.budget().spent).toEqual({ ...before, people: before.people + 1 })
    expect(sync.runs()[0]).toMatchObject({ move: 'follow', requests: 1 })
  })

  test('of a month is spread over it, keeps requests for the dumps, and outlives restarts', async () => {
    const service = withOlderDump(20, 20)
    service.limits.month.limit = 100
    const first = await openSync(service)
    await first.start()
    await first.time.pass(2 * DAY)
    const follows = service.requests.filter((what) => what === '1').length
    expect(follows).toBeGreaterThan(4)
    expect(follows).toBeLessThan(16)
    await first.sync.stop()
    const before = service.requests.length
    const again = await openSync(service, { ...first, discovery: await knownDiscovery() })
    await again.start()
    expect(service.requests).toHaveLength(before)
    for (let count = 0; count < 1000; count += 1) again.sync.requestRun()
    await again.time.pass(60)
    expect(service.requests.length - before).toBeLessThanOrEqual(1)
    service.limits.month.used = 97
    again.sync.requestRun()
    await again.time.pass(DAY)
    expect(again.sync.state()).toMatchObject({ state: 'waiting' })
    expect(again.sync.state().reason).toMatch(/reserved for the weekly dumps/)
    expect(again.sync.state().next_at).toBeLessThanOrEqual(nextEditionAt(again.time.at))
  })
})
