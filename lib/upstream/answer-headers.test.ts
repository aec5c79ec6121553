import { expect, test } from 'vitest'
import {
  anEnvelope,
  listen,
  openClient,
  rejection,
  START,
} from '#testing/upstream/scripted-service.ts'
import { createServiceClock } from './answer-headers.ts'

const DAY = 86_400
const httpDate = (seconds: number) => new Date(seconds * 1000).toUTCString()
const saying = (seconds: number, more: Record<string, string> = {}) =>
  new Headers({ date: httpDate(seconds), ...more })

function open(skewSeconds: number | null = null) {
  const at = { ours: START, ms: 5000 }
  const clock = createServiceClock({ now: () => at.ours, nowMs: () => at.ms, skewSeconds })
  const pass = (seconds: number) => {
    at.ours += seconds
    at.ms += seconds * 1000
  }
  return { at, clock, pass }
}

test('how far the service is ahead is what its answers say, and does not flicker', () => {
  const { clock, pass } = open()
  expect(clock.skewSeconds()).toBe(null)
  clock.note(saying(START + 400))
  expect(clock.skewSeconds()).toBe(400)
  pass(60)
  clock.note(saying(START + 462))
  expect(clock.skewSeconds()).toBe(400)
  clock.note(saying(START + 30))
  expect(clock.skewSeconds()).toBe(-30)
})

test('a clock of ours that is set does not take the time of the service along', () => {
  for (const bySeconds of [-DAY, DAY, 20 * DAY]) {
    const { at, clock, pass } = open()
    clock.note(saying(START))
    at.ours += bySeconds
    pass(10)
    const both = [START + 10, START + 10 + bySeconds].sort((a, b) => a - b)
    expect(clock.clocks()).toEqual({ earliest: both[0], latest: both[1] })
  }
})

test('a service whose clock stands still, or is years off, does not decide the month', () => {
  const { clock, pass } = open()
  clock.note(saying(0))
  expect(clock.clocks()).toEqual({ earliest: START, latest: START })
  clock.note(saying(START + 400 * DAY))
  expect(clock.clocks()).toEqual({ earliest: START, latest: START })
  expect(clock.skewSeconds()).toBe(400 * DAY)
  pass(1)
  expect(clock.clocks()).toEqual({ earliest: START + 1, latest: START + 1 })
})

const DECEMBER = Date.UTC(2026, 11, 1) / 1000

test('the month is fresh when the service says so too, also after a restart', async () => {
  const behind = { seconds: 3600 }
  const state = { now: () => DECEMBER }
  const { baseUrl, requests } = await listen((_, response) =>
    response.writeHead(200, { date: httpDate(state.now() - behind.seconds) }).end(anEnvelope([])),
  )
  const limits = { perMinute: null, perMonth: 3 }
  const first = await openClient({ baseUrl, limits, startAt: DECEMBER - 60 })
  state.now = first.now
  await first.upstream.fetchPage(1)
  await first.upstream.fetchPage(1)
  expect(first.upstream.budget().clockSkewSeconds).toBe(-3600)
  const { folder } = first
  first.advance(120)
  expect(first.upstream.budget().month.used).toBe(2)
  await first.close()
  const restarted = await openClient({ baseUrl, limits, folder, startAt: DECEMBER + 60 })
  expect(restarted.upstream.budget()).toMatchObject({ month: { used: 2 }, clockSkewSeconds: -3600 })
  expect(await rejection(restarted.upstream.fetchPage(1))).toMatchObject({ fault: 'budget_spent' })
  restarted.advance(3600)
  state.now = restarted.now
  await restarted.upstream.fetchPage(1)
  expect(requests).toHaveLength(3)
})

test('a wait for a limit is never negative or endless, wherever the clocks stand', async () => {
  for (const bySeconds of [-40 * DAY, -DAY, DAY, 40 * DAY]) {
    const { baseUrl } = await listen((_, response) => response.end(anEnvelope([])))
    const limits = { perMinute: 1, perMonth: null }
    const { upstream, setClock, advance } = await openClient({ baseUrl, limits })
    await upstream.fetchPage(1)
    setClock(START + bySeconds)
    const error = await rejection(upstream.fetchPage(1))
    expect(error).toMatchObject({ fault: 'budget_spent', retryAfterSeconds: 61 })
    advance(62)
    await upstream.fetchPage(1)
  }
})
