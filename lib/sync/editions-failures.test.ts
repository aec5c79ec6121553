import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { openTestEditions, RATINGS } from './editions.test-support.ts'
import { createScriptedService, DAY, down, range } from './scripted-service.test-support.ts'

const failing = (fault: string) => expect.objectContaining({ fault })

describe('fifty visitors', () => {
  test('cost one request, and one that leaves does not end it for the others', async () => {
    const service = createScriptedService({ ratings: RATINGS })
    const { editions } = await openTestEditions(service)
    const leaving = new AbortController()
    const left = editions.ensure('posts', { signal: leaving.signal })
    const visits = range(1, 50).map(() => editions.ensure('posts'))
    expect(editions.card('posts').state).toBe('fetching')
    leaving.abort()
    await expect(left).rejects.toThrow(failing('busy'))
    expect(new Set(await Promise.all(visits)).size).toBe(1)
    expect(service.requests).toEqual(['posts'])
  })

  test('cost one request when it fails too, and all of them are told why', async () => {
    const service = createScriptedService({ before: () => Promise.reject(down()) })
    const asked: string[] = []
    service.before = (what) => {
      asked.push(what)
      throw down()
    }
    const { editions, clock } = await openTestEditions(service)
    const ask = () => Promise.allSettled(range(1, 50).map(() => editions.ensure('posts')))
    for (const result of [...(await ask()), ...(await ask())]) {
      expect(result).toMatchObject({ status: 'rejected', reason: { message: down().message } })
    }
    expect(asked).toHaveLength(1)
    expect(editions.card('posts')).toMatchObject({ state: 'failed', reason: down().message })
    clock.at += 59
    await ask()
    expect(asked).toHaveLength(1)
    clock.at += 1
    await ask()
    expect(asked).toHaveLength(2)
  })
})

test('a failure that names its time is kept that long, whoever presses', async () => {
  let asked = 0
  const service = createScriptedService()
  service.before = () => {
    asked += 1
    throw new AppError('budget_spent', 'Spent.', { retryAfterSeconds: 7200 })
  }
  const { editions, clock } = await openTestEditions(service)
  await expect(editions.ensure('posts')).rejects.toThrow('Spent.')
  clock.at += 7000
  const again = editions.ensure('posts', { pressing: true })
  await expect(again).rejects.toMatchObject({ fault: 'budget_spent', retryAfterSeconds: 200 })
  expect(asked).toBe(1)
  clock.at -= 8 * DAY
  await expect(editions.ensure('posts')).rejects.toThrow('Spent.')
  expect(asked).toBe(2)
})
