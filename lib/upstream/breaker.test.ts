import { expect, test } from 'vitest'
import {
  anEnvelope,
  listen,
  listenRaw,
  openClient,
  rejection,
  START,
} from './scripted-service.test-support.ts'

const OK = anEnvelope([])

/** A service that is out of order until it is mended. */
async function ailing() {
  const state = { status: 503 }
  const { baseUrl, requests } = await listen((_, response) =>
    response.writeHead(state.status).end(OK),
  )
  return { baseUrl, requests, state }
}

const DOWN = { fault: 'upstream_unavailable' }

test('after three calls in a row without a service, one probe goes each interval, from 1 to 60 minutes', async () => {
  const { baseUrl, requests, state } = await ailing()
  const { upstream, advance } = await openClient({ baseUrl })
  for (let call = 0; call < 3; call += 1) await rejection(upstream.fetchPage(1))
  expect(requests).toHaveLength(9)
  for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
    const sent = requests.length
    const refused = await rejection(upstream.fetchDump('posts'))
    expect(refused).toMatchObject({
      ...DOWN,
      message: expect.stringContaining('left alone for now. The service is out of order.'),
      retryAfterSeconds: minutes * 60,
    })
    advance(minutes * 60 - 5)
    const visitors = Array.from({ length: 200 }, () => rejection(upstream.fetchPage(1)))
    for (const error of await Promise.all(visitors)) {
      expect(error).toMatchObject({ ...DOWN, retryAfterSeconds: 5 })
    }
    expect(requests).toHaveLength(sent)
    advance(6)
    const asking = Array.from({ length: 20 }, () => rejection(upstream.fetchPage(1)))
    await Promise.all(asking)
    expect(requests).toHaveLength(sent + 1)
  }
  state.status = 200
  advance(3601)
  await upstream.fetchPage(1)
  await Promise.all([upstream.fetchPage(1), upstream.fetchPage(2)])
  expect(upstream.budget().pausedUntil).toBe(null)
})

test('it outlives a restart, with its interval and its reason', async () => {
  const { baseUrl, requests } = await ailing()
  const first = await openClient({ baseUrl })
  for (let call = 0; call < 3; call += 1) await rejection(first.upstream.fetchPage(1))
  first.advance(61)
  await rejection(first.upstream.fetchPage(1))
  const sent = requests.length
  const { folder, now } = first
  const startAt = now() + 60
  const { upstream, advance } = await openClient({ baseUrl, folder, startAt })
  expect(upstream.budget().pausedUntil).toBeGreaterThan(startAt + 55)
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({
    ...DOWN,
    message: expect.stringContaining('The service is out of order.'),
  })
  expect(requests).toHaveLength(sent)
  advance(62)
  await rejection(upstream.fetchPage(1))
  expect(requests).toHaveLength(sent + 1)
  expect(upstream.budget().pausedUntil).toBeGreaterThan(now() + 3 * 60)
})

test('a process that dies with each call still counts to three', async () => {
  const { baseUrl, requests } = await ailing()
  let folder: string | undefined
  for (let call = 0; call < 6; call += 1) {
    const client = await openClient({ baseUrl, ...(folder ? { folder } : {}), startAt: START + 30 })
    await rejection(client.upstream.fetchPage(1))
    folder = client.folder
    await client.close()
  }
  expect(requests).toHaveLength(9)
})

test('any answer in between begins the count anew: a page, a plea for fewer requests, no page at all', async () => {
  for (const status of [200, 404, 429]) {
    const { baseUrl, requests, state } = await ailing()
    const { upstream, advance } = await openClient({ baseUrl })
    for (let round = 0; round < 3; round += 1) {
      state.status = 503
      await rejection(upstream.fetchPage(1))
      await rejection(upstream.fetchPage(1))
      state.status = status
      await upstream.fetchPage(1).catch(() => {})
      advance(3700)
    }
    expect(requests, String(status)).toHaveLength(21)
  }
})

test('a probe that is charged to nobody is still to be had', async () => {
  const { baseUrl, requests, state } = await ailing()
  const limits = { perMinute: null, perMonth: 40 }
  const { upstream, advance } = await openClient({ baseUrl, limits })
  for (let call = 0; call < 3; call += 1) await rejection(upstream.fetchPage(1))
  for (let probe = 0; probe < 4; probe += 1) {
    advance(3601)
    await rejection(upstream.fetchPage(1, { purpose: 'people' }))
  }
  state.status = 200
  advance(3601)
  const spent = await rejection(upstream.fetchPage(1, { purpose: 'people' }))
  expect(spent).toMatchObject({ fault: 'budget_spent' })
  await upstream.fetchPage(1)
  expect(requests).toHaveLength(14)
})

test('refused, reset, nameless and silent services are all left alone, each with its reason', async () => {
  const reset = await listenRaw((socket) => void socket.resetAndDestroy())
  const silent = await listenRaw(() => {})
  const cases: [URL, string][] = [
    [new URL('http://127.0.0.1:9'), 'The service refused the connection.'],
    [reset.baseUrl, 'The service broke off the connection.'],
    [new URL('http://nowhere.invalid'), 'The name of the service cannot be looked up.'],
    [silent.baseUrl, 'The service did not answer in time.'],
  ]
  for (const [baseUrl, reason] of cases) {
    const timeLimits = { headersMs: baseUrl === silent.baseUrl ? 20 : 5000, callMs: 15_000 }
    const { upstream, ledger } = await openClient({ baseUrl, timeLimits })
    for (let call = 0; call < 3; call += 1) {
      expect(await rejection(upstream.fetchPage(1))).toMatchObject({ message: reason })
    }
    expect(await rejection(upstream.fetchPage(1))).toMatchObject({
      message: expect.stringContaining(reason),
      retryAfterSeconds: 60,
    })
    expect(ledger.budget({ perMinute: null, perMonth: null }).month.used).toBe(9)
  }
})

test('many callers at once open it no further than to its first minute', async () => {
  const { baseUrl } = await ailing()
  const { upstream } = await openClient({ baseUrl })
  await Promise.all(Array.from({ length: 30 }, () => rejection(upstream.fetchPage(1))))
  expect((upstream.budget().pausedUntil ?? 0) - START).toBeLessThan(120)
})
