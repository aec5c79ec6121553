import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { LiveEvent, Status } from '#lib/contract/answers/status.ts'
import { CALM_STATUS } from '#testing/contract/status.ts'
import { applyLiveEvent, createLiveSource, type Source } from './event-stream.ts'
import { dumpsOptions } from './list-options.ts'
import { statusOptions, statusSummaryOptions, toStatusSummary } from './query-options.ts'

type Timer = { run: () => void; delayMs: number }

function openWorld() {
  const sources: FakeSource[] = []
  const timers = new Set<Timer>()
  const heard: string[] = []
  const world = { isStanding: false, lost: 0 }
  const live = createLiveSource({
    open: () => {
      const source = new FakeSource()
      sources.push(source)
      return source
    },
    onEvent: ({ name }) => heard.push(name),
    onStanding: (isStanding) => {
      world.isStanding = isStanding
    },
    onLost: () => {
      world.lost += 1
    },
    setTimer: (run, delayMs) => {
      const timer = { run, delayMs }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    random: () => 0.5,
  })
  const wait = () => {
    const [timer] = timers
    if (!timer) return null
    timers.delete(timer)
    timer.run()
    return timer.delayMs
  }
  const last = () => {
    const source = sources.at(-1)
    if (!source) throw new Error('nothing was opened')
    return source
  }
  return { live, sources, heard, world, timers, wait, last }
}

class FakeSource implements Source {
  readyState = 0
  isClosed = false
  readonly listeners = new Map<string, (event: { data?: unknown }) => void>()
  addEventListener(name: string, listener: (event: { data?: unknown }) => void) {
    this.listeners.set(name, listener)
  }
  close() {
    this.isClosed = true
  }
  say(name: string, data?: object) {
    this.listeners.get(name)?.({ data: JSON.stringify(data) })
  }
  fail(readyState: 0 | 2) {
    this.readyState = readyState
    this.listeners.get('error')?.({})
  }
}

const BEAT = { now: 1 }

it('events keep the page current from the first one on', () => {
  const { live, last, heard, world } = openWorld()
  live.start()
  last().say('open')
  expect(world.isStanding).toBe(false)
  last().say('status', CALM_STATUS)
  expect(world.isStanding).toBe(true)
  expect(heard).toEqual(['status'])
})

it('silence for longer than three beats ends it, somebody else asks, and it is tried again', () => {
  const { live, last, world, wait, sources } = openWorld()
  live.start()
  last().say('beat', BEAT)
  expect(wait()).toBe(45_000)
  expect(world).toEqual({ isStanding: false, lost: 1 })
  expect(last().isClosed).toBe(true)
  expect(wait()).toBe(2000)
  expect(sources).toHaveLength(2)
})

it('a stream that ends is gone on with by the browser, and nobody else asks meanwhile', () => {
  const { live, last, world, sources } = openWorld()
  live.start()
  last().say('open')
  last().say('beat', BEAT)
  last().fail(0)
  expect(world).toEqual({ isStanding: true, lost: 0 })
  last().say('open')
  last().say('commit', { generation: 2, ratings: 3, added: 1, complete_to: null })
  expect(sources).toHaveLength(1)
  expect(last().isClosed).toBe(false)
})

it('a server that is gone is not asked every second: the browser is stopped, and patience grows', () => {
  const { live, last, world, wait } = openWorld()
  live.start()
  last().say('open')
  last().say('beat', BEAT)
  last().fail(0)
  last().fail(0)
  expect(last().isClosed).toBe(true)
  const waits = []
  for (let attempt = 0; attempt < 7; attempt += 1) {
    waits.push(wait())
    last().fail(0)
  }
  expect(waits).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  expect(world).toEqual({ isStanding: false, lost: 1 })
})

it('a gap that the browser does not close by itself is a loss', () => {
  const { live, last, world, wait } = openWorld()
  live.start()
  last().say('open')
  last().say('beat', BEAT)
  last().fail(0)
  expect(wait()).toBe(10_000)
  expect(world).toEqual({ isStanding: false, lost: 1 })
})

it('a server without room is asked again after half a minute', () => {
  const { live, last, wait } = openWorld()
  live.start()
  last().fail(2)
  expect(wait()).toBe(30_000)
})

it('after a loss a stream that stands again starts with new patience', () => {
  const { live, last, wait, world } = openWorld()
  live.start()
  for (let attempt = 0; attempt < 4; attempt += 1) {
    last().fail(0)
    wait()
  }
  last().say('beat', BEAT)
  last().fail(2)
  wait()
  last().fail(0)
  expect(wait()).toBe(4000)
  expect(world.lost).toBe(2)
})

it('what is no event of ours is not believed', () => {
  for (const said of [{}, { now: 'soon' }, undefined]) {
    const { live, last, heard, world } = openWorld()
    live.start()
    last().say('beat', said)
    expect(heard).toEqual([])
    expect(world.isStanding).toBe(false)
  }
})

it('stopped, it holds no connection and no timer, and what comes late changes nothing', () => {
  const { live, last, heard, world, timers, sources } = openWorld()
  live.start()
  last().say('beat', BEAT)
  live.stop()
  last().say('beat', BEAT)
  last().fail(0)
  expect(heard).toEqual(['beat'])
  expect(world).toEqual({ isStanding: false, lost: 0 })
  expect([last().isClosed, timers.size]).toEqual([true, 0])
  live.start()
  live.start()
  expect(sources).toHaveLength(2)
})

const { queryKey } = statusOptions()

function openClient() {
  const client = new QueryClient()
  client.setQueryData(queryKey, { success: true, code: 200, data: CALM_STATUS })
  const summary = statusSummaryOptions().queryKey
  client.setQueryData(summary, toStatusSummary(CALM_STATUS))
  return {
    client,
    read: () => client.getQueryData(queryKey)?.data,
    readSummary: () => client.getQueryData(summary),
  }
}

const entry = (id: number, kind: 'dump' | 'sync') => ({
  id,
  at: 1,
  level: 'info' as const,
  kind,
  message: 'It came.',
  fields: {},
})

it('a status takes the place of what was known, a step only that of the sync, a commit only that of the archive', () => {
  const { client, read } = openClient()
  const sync = { ...CALM_STATUS.sync, state: 'following' as const }
  applyLiveEvent(client, { name: 'progress', data: { sync, now: 1001 } })
  expect(read()).toEqual({ ...CALM_STATUS, sync, now: 1001 })
  applyLiveEvent(client, {
    name: 'commit',
    data: { generation: 2, ratings: 47, added: 37, complete_to: 1002 },
  })
  const archive = { ...CALM_STATUS.archive, generation: 2, ratings: 47, complete_to: 1002 }
  expect(read()).toEqual({ ...CALM_STATUS, sync, archive, now: 1001 })
  applyLiveEvent(client, { name: 'status', data: CALM_STATUS })
  expect(read()).toEqual(CALM_STATUS)
})

it('what every page knows is told the same as the page of the status', () => {
  const { client, read, readSummary } = openClient()
  const sync = { ...CALM_STATUS.sync, state: 'following' as const }
  const commit = { generation: 2, ratings: 47, added: 37, complete_to: 1002 }
  const events: LiveEvent[] = [
    { name: 'progress', data: { sync, now: 1001 } },
    { name: 'commit', data: commit },
    { name: 'event', data: entry(1, 'sync') },
    { name: 'status', data: { ...CALM_STATUS, now: 1003 } },
  ]
  for (const event of events) {
    applyLiveEvent(client, event)
    const known = read()
    expect(readSummary()).toEqual(known && toStatusSummary(known))
  }
})

it('of a page that knows nothing yet, only a status makes something', () => {
  const client = new QueryClient()
  applyLiveEvent(client, { name: 'event', data: entry(1, 'sync') })
  expect(client.getQueryData(queryKey)).toBeUndefined()
})

it('an entry of the log stands first, once, and there are never more than fifty', () => {
  const { client, read } = openClient()
  for (let id = 1; id <= 60; id += 1)
    applyLiveEvent(client, { name: 'event', data: entry(id, 'sync') })
  applyLiveEvent(client, { name: 'event', data: entry(60, 'sync') })
  expect(read()?.events.map(({ id }) => id)).toEqual([...Array(50).keys()].map((n) => 60 - n))
})

it('what a dump did is asked anew, what the sync did is not', () => {
  const { client } = openClient()
  const dumps = dumpsOptions().queryKey
  client.setQueryData<unknown>(dumps, {})
  const isOld = () => client.getQueryState(dumps)?.isInvalidated
  applyLiveEvent(client, { name: 'event', data: entry(1, 'sync') })
  expect(isOld()).toBe(false)
  applyLiveEvent(client, { name: 'event', data: entry(2, 'dump') })
  expect(isOld()).toBe(true)
})

it('an answer that was on its way does not undo what was told meanwhile', async () => {
  const { client, read } = openClient()
  let answer = (_status: Status) => {}
  const asked = client.fetchQuery({
    queryKey,
    queryFn: ({ signal: _ }) =>
      new Promise((resolve: (answer: { success: true; code: number; data: Status }) => void) => {
        answer = (data) => resolve({ success: true, code: 200, data })
      }),
  })
  const told = { ...CALM_STATUS, now: 2000 }
  applyLiveEvent(client, { name: 'status', data: told })
  answer({ ...CALM_STATUS, now: 1999 })
  await asked.catch(() => undefined)
  expect(read()).toEqual(told)
})
