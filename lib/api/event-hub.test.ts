import { expect, it } from 'vitest'
import { liveEvents } from '#lib/contract/answers/live.ts'
import { CALM, type Heard, openHub } from './event-hub.test-support.ts'

const names = (heard: readonly Heard[]) => heard.map(({ name }) => name)
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
  const { hub, log } = openHub()
  const streams = await Promise.all([hub.open(null), hub.open(null)])
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
