import { describe, expect, onTestFinished, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { toWaitSeconds } from '#lib/sync/failure-memory.ts'
import { nextMonthAt } from '#lib/upstream/ledger.ts'
import { tooMany } from '#testing/hostile-service/faults.ts'
import { makeRating } from '#testing/make-ratings.ts'
import { DAY, HOUR, range, WEDNESDAY } from '#testing/sync/scripted-service.ts'
import { openSyncOverHttp } from '#testing/sync/sync-over-http.ts'

const RATINGS = range(1, 12).map((id) => makeRating(id, { created_at: WEDNESDAY - 99 * HOUR + id }))
const ABSURD = '99999999999'

async function open(perMonth: number | null) {
  const world = await openSyncOverHttp({ ratings: RATINGS }, { perMonth })
  onTestFinished(world.end)
  return world
}

const SHORT = ['0', '1', '5', new Date((WEDNESDAY - 500) * 1000).toUTCString()]

describe('a 429 with a Retry-After of', () => {
  test.each(SHORT)(
    '%j leaves the pace of a first start to the plan, and a reserve',
    async (text) => {
      const { service, sync, time, start } = await open(100)
      service.misbehave(tooMany(text))
      await start()
      await time.pass(200)
      expect(service.requests.length).toBeLessThanOrEqual(3)
      await time.pass(DAY)
      expect(service.requests.length).toBeLessThanOrEqual(30)
      await time.pass(nextMonthAt(WEDNESDAY) - time.at - 1)
      expect(sync.budget().month.used).toBeLessThan(100)
      expect(sync.budget().spent.dump).toBeLessThanOrEqual(50)
    },
  )

  test.each(SHORT)('%j leaves the pace of following to the backoff', async (text) => {
    const { service, sync, time, start } = await open(null)
    await start()
    service.misbehave(tooMany(text))
    await time.pass(4 * HOUR)
    const before = service.requests.length
    await time.pass(HOUR)
    expect(service.requests.length - before).toBeLessThanOrEqual(12)
    service.behave()
    await time.pass(HOUR)
    await time.settled()
    expect(sync.state()).toMatchObject({ state: 'idle', reason: null })
  })
})

describe('an absurd Retry-After', () => {
  test('pauses for a day at most, and a click probes once', async () => {
    const { service, sync, time, start } = await open(null)
    await start()
    service.misbehave(tooMany(ABSURD))
    await time.pass(5 * HOUR)
    const pausedUntil = sync.budget().paused_until ?? 0
    expect(pausedUntil - time.at).toBeLessThanOrEqual(DAY)
    const before = service.requests.length
    expect(sync.requestRun().at).toBe(time.at)
    await time.pass(1)
    expect(service.requests).toHaveLength(before + 1)
    for (let count = 0; count < 9; count += 1) {
      expect(sync.requestRun().at).toBe(sync.state().next_at)
      await time.pass(HOUR)
    }
    expect(service.requests).toHaveLength(before + 1)
    service.behave()
    await time.pass(DAY)
    await time.settled()
    expect(sync.state()).toMatchObject({ state: 'idle', reason: null })
    expect(sync.budget().paused_until).toBeNull()
  })

  test.each([null, 100])(
    'lets a click fill an empty archive, limited to %s a month',
    async (perMonth) => {
      const { service, sync, time, ids, start } = await open(perMonth)
      const behave = service.misbehave(tooMany(ABSURD))
      await start()
      expect(sync.state().state).toBe('waiting')
      const before = service.requests.length
      behave()
      expect(sync.requestRun().at).toBe(time.at)
      await time.pass(60)
      await time.settled()
      expect(service.requests.length).toBeGreaterThan(before)
      expect(await ids()).toEqual(range(1, 12))
    },
  )
})

test('a delay of the service is a lower bound, and one of our own limits is exact', () => {
  const unavailable = (cause?: unknown) =>
    new AppError('upstream_unavailable', 'Away.', { retryAfterSeconds: 60, cause })
  expect(toWaitSeconds(unavailable(), 600)).toBe(600)
  expect(toWaitSeconds(unavailable(), 5)).toBe(60)
  expect(toWaitSeconds(unavailable('breaker'), 600)).toBe(60)
  const spent = new AppError('budget_spent', 'Spent.', { retryAfterSeconds: 40 })
  expect(toWaitSeconds(spent, 600)).toBe(40)
  expect(toWaitSeconds(new AppError('upstream_timeout', 'Late.'), 600)).toBe(600)
})
