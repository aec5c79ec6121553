import { expect, it } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { CALM, openHub } from './event-hub.test-support.ts'

const HOUR_MS = 3_600_000

it('whoever comes again hears what he missed, and only that', async () => {
  const { listen, change, log, timers } = openHub()
  const tab = await listen()
  const [status] = await tab.hear()
  await tab.leave()
  log(1)
  change({ ratings: 12, generation: 2 })
  const again = await listen(status?.id ?? null)
  const heard = await again.hear()
  expect(heard.map(({ name }) => name)).toEqual(['event', 'commit', 'status'])
  timers.pass(334)
  expect(heard.map(({ id }) => id)).toEqual(['boot-2', 'boot-3', 'boot-4'])
})

it('a status that changed while nobody listened reaches who comes again', async () => {
  const { listen, change } = openHub()
  const tab = await listen()
  const [status] = await tab.hear()
  await tab.leave()
  change({ sync: { ...CALM, checked_at: 7 } })
  const again = await listen(status?.id ?? null)
  expect(await again.hear()).toMatchObject([{ name: 'status', data: { sync: { checked_at: 7 } } }])
})

it.each(['other-1', 'boot-99', 'boot-', 'boot-1e3', 'boot--1', '', 'x'.repeat(10_000)])(
  'an id that is not known (%.20s) brings the whole status',
  async (id) => {
    const { listen } = openHub()
    await (await listen()).hear()
    const tab = await listen(id)
    expect((await tab.hear()).map(({ name }) => name)).toEqual(['status'])
  },
)

it('who was away for more events than are kept gets the whole status', async () => {
  const { listen, log } = openHub()
  const tab = await listen()
  const [status] = await tab.hear()
  await tab.leave()
  for (let id = 1; id <= 300; id += 1) log(id)
  const again = await listen(status?.id ?? null)
  expect((await again.hear()).map(({ name }) => name)).toEqual(['status'])
})

it('a reader who does not read is given up, and the others hear everything', async () => {
  const { hub, listen, log } = openHub()
  const lazy = (await hub.open(null)).getReader()
  await lazy.read()
  const tab = await listen()
  await tab.hear()
  for (let id = 1; id <= 100; id += 1) {
    log(id)
    await tab.raw()
  }
  expect((await tab.hear()).filter(({ name }) => name === 'event')).toHaveLength(100)
  await expect(lazy.read()).rejects.toThrow(AppError)
  expect(hub.readers()).toBe(1)
})

it('a reader who goes away is counted no more', async () => {
  const { hub, listen } = openHub()
  const tab = await listen()
  expect(hub.readers()).toBe(1)
  await tab.leave()
  expect(hub.readers()).toBe(0)
})

it('the reader after the five hundredth is asked to come later', async () => {
  const { hub } = openHub()
  const streams = await Promise.all(Array.from({ length: 500 }, () => hub.open(null)))
  await expect(hub.open(null)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 60 })
  await streams[0]?.cancel()
  await expect(hub.open(null)).resolves.toBeInstanceOf(ReadableStream)
})

it('a stream ends by itself after an hour', async () => {
  const { listen, timers } = openHub()
  const tab = await listen()
  await tab.hear()
  timers.pass(HOUR_MS)
  expect(await tab.raw()).toMatch(/retry: 1000\n\n$/)
  expect(tab.ended()).toBe('ended')
})

it('at the stop every stream ends with the time to come again, one that is not read too, and nobody is let in', async () => {
  const { hub, listen, timers } = openHub()
  const lazy = (await hub.open(null)).getReader()
  await lazy.read()
  const tab = await listen()
  await tab.hear()
  hub.close()
  expect(await tab.raw()).toBe('retry: 5000\n\n')
  expect(tab.ended()).toBe('ended')
  timers.pass(5000)
  await expect(lazy.closed).rejects.toThrow(AppError)
  expect(hub.readers()).toBe(0)
  await expect(hub.open(null)).rejects.toMatchObject({ status: 503 })
  expect(timers.count()).toBe(0)
})
