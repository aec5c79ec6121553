import { expect, it } from 'vitest'
import { liveEvents } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import { CALM, openHub, type ReceivedEvent } from '#testing/api/event-hub.ts'

const names = (heard: readonly ReceivedEvent[]) => heard.map(({ name }) => name)
const importing = (done: number) => ({
  ...CALM,
  state: 'bootstrapping' as const,
  move: 'bootstrap' as const,
  progress: {
    step: 'importing' as const,
    done,
    total: 100,
    unit: 'rows' as const,
    since: 1000,
    per_second: 10,
    remaining_seconds: 9,
  },
})

it('whoever comes hears the whole status first, in the shape that is promised, and how soon to come again', async () => {
  const { listen } = openHub()
  const tab = await listen()
  expect(await tab.raw()).toMatch(/^retry: 1000\n\nid: boot-1\nevent: status\ndata: \{/)
  const [first] = await tab.hear()
  expect(liveEvents.status.safeParse(first?.data).error).toBeUndefined()
})

it('a commit, an entry of the log and a beat are told in the shapes that are promised', async () => {
  const { listen, change, log, timers } = openHub()
  const tab = await listen()
  await tab.hear()
  change({ ratings: 47, generation: 2 })
  log(8)
  timers.pass(15_000)
  const heard = await tab.hear()
  const said = (name: string) => heard.find((event) => event.name === name)?.data
  expect(said('commit')).toEqual({ generation: 2, ratings: 47, added: 37, complete_to: 1000 })
  expect(liveEvents.event.safeParse(said('event')).success).toBe(true)
  expect(said('beat')).toEqual({ now: 1000 })
})

it('a step that goes on is told three times a second, and the whole status not again for it', async () => {
  const { listen, change, timers } = openHub()
  const tab = await listen()
  await tab.hear()
  change({ sync: importing(0) })
  expect(names(await tab.hear())).toEqual(['progress', 'status'])
  for (let done = 1; done <= 50; done += 1) change({ sync: importing(done) })
  timers.pass(334)
  expect(await tab.hear()).toMatchObject([{ data: { sync: { progress: { done: 50 } } } }])
  for (let done = 51; done <= 99; done += 1) change({ sync: importing(done) })
  for (let tick = 0; tick < 9; tick += 1) timers.pass(334)
  expect(names(await tab.hear())).toEqual(['progress'])
})

it('a fetch that says nothing of its bytes is looked at as it goes on, and its end is told', async () => {
  const { listen, change, world, timers } = openHub()
  const tab = await listen()
  change({ sync: importing(0) })
  timers.pass(334)
  await tab.hear()
  world.sync = importing(5)
  timers.pass(334)
  expect(await tab.hear()).toMatchObject([
    { name: 'progress', data: { sync: { progress: { done: 5 } } } },
  ])
  change({ sync: CALM })
  for (let tick = 0; tick < 6; tick += 1) timers.pass(334)
  const last = (await tab.hear()).at(-1)
  expect(last?.data).toMatchObject({ sync: { progress: null } })
  expect(timers.count()).toBe(2)
})

it('changes that follow one another are one status a second', async () => {
  const { listen, change, timers, world } = openHub()
  const tab = await listen()
  await tab.hear()
  const before = world.reads
  for (let at = 1; at <= 20; at += 1) change({ sync: { ...CALM, checked_at: at } })
  expect(await tab.hear()).toMatchObject([{ name: 'status', data: { sync: { checked_at: 1 } } }])
  for (let at = 21; at <= 40; at += 1) change({ sync: { ...CALM, checked_at: at } })
  expect(await tab.hear()).toEqual([])
  for (let tick = 0; tick < 3; tick += 1) timers.pass(334)
  expect(await tab.hear()).toMatchObject([{ name: 'status', data: { sync: { checked_at: 40 } } }])
  expect(world.reads - before).toBeLessThanOrEqual(3)
})

it('what was not read twice is made once: all who listen share the bytes of an event', async () => {
  const { open, log } = openHub()
  const streams = await Promise.all([open(), open()])
  const readers = streams.map((stream) => stream.getReader())
  const read = async () =>
    await Promise.all(readers.map(async (reader) => (await reader.read()).value))
  await read()
  await read()
  log(1)
  const [one, other] = await read()
  expect(one).toBe(other)
})

it('many who come at the same moment cost one reading of the status', async () => {
  const { listen, world } = openHub()
  await Promise.all(Array.from({ length: 200 }, () => listen()))
  expect(world.reads).toBeLessThanOrEqual(2)
})

it('nothing is read and no timer runs while nobody listens', async () => {
  const { listen, change, world, timers } = openHub()
  const tab = await listen()
  await tab.leave()
  const { reads } = world
  timers.pass(15_000)
  change({ sync: importing(1) })
  expect(world.reads).toBe(reads)
  expect(timers.count()).toBe(0)
})

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
  const { hub, open, listen, log } = openHub()
  const lazy = (await open()).getReader()
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
  const { open } = openHub()
  const streams = await Promise.all(Array.from({ length: 500 }, (_, n) => open(`client ${n}`)))
  await expect(open('late')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 60 })
  await streams[0]?.cancel()
  await expect(open('late')).resolves.toBeInstanceOf(ReadableStream)
})

it('a client whose share is full loses its oldest stream, cleanly, and nobody else loses one', async () => {
  const { hub, listen, open } = openHub()
  const other = await listen(null, 'b')
  const [oldest, second] = [await listen(), await listen()]
  for (let n = 2; n < 50; n += 1) await open()
  await oldest.hear()
  expect([oldest.ended(), hub.readers()]).toEqual(['no', 51])
  await open()
  expect(await oldest.raw()).toMatch(/retry: 30000\n\n$/)
  expect([oldest.ended(), second.ended(), other.ended()]).toEqual(['ended', 'no', 'no'])
  expect(hub.readers()).toBe(51)
})

it('a client that opens streams without end and reads none leaves room for the others', async () => {
  const { hub, listen, open, timers } = openHub()
  const other = await listen(null, 'b')
  for (let n = 0; n < 200; n += 1) await open()
  expect(hub.readers()).toBeLessThanOrEqual(101)
  await listen(null, 'c')
  timers.pass(5000)
  expect(hub.readers()).toBe(52)
  expect(other.ended()).toBe('no')
})

it('with every place taken, a client whose share is full goes on with its newest streams', async () => {
  const { open } = openHub()
  const first = await open()
  for (let n = 1; n < 50; n += 1) await open()
  for (let n = 50; n < 500; n += 1) await open(`client ${n}`)
  await expect(open('late')).rejects.toMatchObject({ status: 503 })
  await open()
  const reader = first.getReader()
  await expect.poll(async () => (await reader.read()).done).toBe(true)
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
  const { hub, open, listen, timers } = openHub()
  const lazy = (await open()).getReader()
  await lazy.read()
  const tab = await listen()
  await tab.hear()
  hub.close()
  expect(await tab.raw()).toBe('retry: 5000\n\n')
  expect(tab.ended()).toBe('ended')
  timers.pass(5000)
  await expect(lazy.closed).rejects.toThrow(AppError)
  expect(hub.readers()).toBe(0)
  await expect(open()).rejects.toMatchObject({ status: 503 })
  expect(timers.count()).toBe(0)
})
