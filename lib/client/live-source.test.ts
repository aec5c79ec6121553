import { expect, it } from 'vitest'
import { CALM_STATUS } from '#lib/contract/answers/status.test-support.ts'
import { createLiveSource, type Source } from './live-source.ts'

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
  /** The next thing that waits, and how long it waited. */
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
