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

test('what fails twice and then works is asked three times, with growing jittered waits', async () => {
  const { baseUrl, requests } = await listen((_, response, count) =>
    response.writeHead(count < 3 ? 503 : 200).end(OK),
  )
  const { upstream, sleeps, ledger } = await openClient({ baseUrl })
  await upstream.fetchPage(1)
  expect(requests).toHaveLength(3)
  expect(sleeps).toEqual([250, 500])
  expect(ledger.budget({ perMinute: null, perMonth: null }).month.used).toBe(3)
})

const httpDate = (seconds: number) => new Date(seconds * 1000).toUTCString()
const SHORT: [string, string, number][] = [
  ['seconds', '7', 7000],
  ['a date', httpDate(START + 9), 9000],
  ['a date that has passed', httpDate(START - 500), 1000],
]
test.each(SHORT)('Retry-After as %s outranks the backoff', async (_, retryAfter, waitMs) => {
  const { baseUrl, requests } = await listen((_, response, count) =>
    response.writeHead(count === 1 ? 429 : 200, { 'retry-after': retryAfter }).end(OK),
  )
  const { upstream, sleeps } = await openClient({ baseUrl })
  await upstream.fetchPage(1)
  expect(sleeps).toEqual([waitMs])
  expect(requests).toHaveLength(2)
})

test('a Retry-After that nobody can read leaves a 503 to the backoff', async () => {
  const { baseUrl } = await listen((_, response, count) =>
    response.writeHead(count === 1 ? 503 : 200, { 'retry-after': 'soon' }).end(OK),
  )
  const { upstream, sleeps } = await openClient({ baseUrl })
  await upstream.fetchPage(1)
  expect(sleeps).toEqual([250])
})

const LONG: [string, Record<string, string>, number][] = [
  ['31 seconds', { 'retry-after': '31' }, 31],
  ['more than a day', { 'retry-after': '99999' }, 99_999],
  ['a date in an hour', { 'retry-after': httpDate(START + 3600) }, 3600],
  ['something unreadable', { 'retry-after': 'soon' }, 60],
  ['nothing', {}, 60],
]
test.each(LONG)(
  'a 429 that says %s is left to the planner, and until then nothing is sent',
  async (_, headers, seconds) => {
    const { baseUrl, requests } = await listen((_, response, count) =>
      response.writeHead(count === 1 ? 429 : 200, headers).end(OK),
    )
    const { upstream, sleeps, advance } = await openClient({ baseUrl })
    const failure = { fault: 'upstream_unavailable', retryAfterSeconds: seconds }
    expect(await rejection(upstream.fetchPage(1))).toMatchObject(failure)
    advance(seconds - 2)
    expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_unavailable' })
    expect(await rejection(upstream.fetchDump('posts'))).toMatchObject({ retryAfterSeconds: 2 })
    expect(requests).toHaveLength(1)
    expect(sleeps).toEqual([])
    advance(3)
    await upstream.fetchPage(1)
    expect(requests).toHaveLength(2)
  },
)

test.each([401, 403])('after a %i nothing is sent but one probe an hour', async (status) => {
  let isAccepted = false
  const { baseUrl, requests } = await listen((_, response) =>
    response.writeHead(isAccepted ? 200 : status).end(OK),
  )
  const { upstream, advance } = await openClient({ baseUrl })
  const refused = { fault: 'upstream_refused' }
  for (let round = 1; round <= 3; round += 1) {
    expect(await rejection(upstream.fetchPage(1))).toMatchObject(refused)
    const others = [upstream.fetchPage(1), upstream.fetchPage(2), upstream.fetchDump('posts')]
    for (const other of others) expect(await rejection(other)).toMatchObject(refused)
    advance(3500)
    expect(await rejection(upstream.fetchPage(1))).toMatchObject({
      ...refused,
      retryAfterSeconds: expect.any(Number),
    })
    expect(requests).toHaveLength(round)
    advance(101)
  }
  isAccepted = true
  await upstream.fetchPage(1)
  await upstream.fetchPage(1)
  expect(requests).toHaveLength(5)
})

test('a probe that meets a service out of order is one request', async () => {
  const { baseUrl, requests } = await listen((_, response, count) =>
    response.writeHead(count === 1 ? 401 : 503).end(),
  )
  const { upstream, advance } = await openClient({ baseUrl })
  await rejection(upstream.fetchPage(1))
  advance(3601)
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_unavailable' })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_refused' })
  expect(requests).toHaveLength(2)
})

test('no attempt goes past a limit, retries included', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.writeHead(503).end())
  const { upstream } = await openClient({ baseUrl, limits: { perMinute: null, perMonth: 2 } })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({
    fault: 'budget_spent',
    retryAfterSeconds: expect.any(Number),
  })
  expect(requests).toHaveLength(2)
  expect(upstream.budget().month).toEqual({ limit: 2, used: 2 })
})

test('many callers at once never share a slot', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.end(OK))
  const { upstream } = await openClient({ baseUrl, limits: { perMinute: 5, perMonth: null } })
  const pages = Array.from({ length: 20 }, (_, index) => upstream.fetchPage(index + 1))
  const settled = await Promise.allSettled(pages)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(requests).toHaveLength(5)
})

test('a bug in a transport is not sent again, and nothing of its text comes out', async () => {
  let calls = 0
  const { upstream } = await openClient({
    baseUrl: new URL('http://in.process'),
    transport: async () => {
      calls += 1
      throw new TypeError('secret text')
    },
  })
  const error = await rejection(upstream.fetchPage(1))
  expect(error).toMatchObject({ fault: 'upstream_unavailable' })
  expect(String((error as Error).stack)).not.toContain('secret')
  expect((error as Error).cause).toBeUndefined()
  expect(calls).toBe(1)
})

test('a port where nobody listens is tried three times', async () => {
  const { upstream, sleeps, ledger } = await openClient({ baseUrl: new URL('http://127.0.0.1:9') })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_unavailable' })
  expect(sleeps).toHaveLength(2)
  expect(ledger.budget({ perMinute: null, perMonth: null }).month.used).toBe(3)
})

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

test('silence before the headers ends at its limit and is tried again', async () => {
  const { baseUrl, requests } = await listenRaw((socket, count) => {
    if (count > 1) socket.end(`${HEAD}Content-Length: ${OK.length}\r\n\r\n${OK}`)
  })
  const { upstream, sleeps } = await openClient({ baseUrl })
  await upstream.fetchPage(1)
  expect(requests).toHaveLength(2)
  expect(sleeps).toHaveLength(1)
})

test('silence for good is a timeout', async () => {
  const { baseUrl } = await listenRaw(() => {})
  const { upstream } = await openClient({ baseUrl, timeLimits: { headersMs: 20 } })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_timeout' })
})

test('a body that stands still, and one that drips without end, are timeouts', async () => {
  for (const everyMs of [5, 10_000]) {
    const { baseUrl } = await listenRaw((socket) => {
      socket.write(`${HEAD}Content-Length: 100000\r\n\r\n`)
      const drip = setInterval(() => socket.write(' '), everyMs)
      socket.on('close', () => clearInterval(drip))
    })
    const timeLimits = { headersMs: 500, pageMs: 60, pageIdleMs: 40, callMs: 2000 }
    const { upstream } = await openClient({ baseUrl, timeLimits })
    expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_timeout' })
  }
})

test('all attempts together end at their limit', async () => {
  const { baseUrl, requests } = await listenRaw(() => {})
  const timeLimits = { headersMs: 60, callMs: 90 }
  const { upstream } = await openClient({ baseUrl, timeLimits })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_timeout' })
  expect(requests).toHaveLength(2)
})

test('a transport that is deaf to the signal does not hold anybody', async () => {
  let late = () => {}
  let isCancelled = false
  const body = new ReadableStream({
    cancel() {
      isCancelled = true
    },
  })
  const { upstream } = await openClient({
    baseUrl: new URL('http://in.process'),
    timeLimits: { headersMs: 10, callMs: 15 },
    transport: () =>
      new Promise((resolve) => {
        late = () => resolve(new Response(body))
      }),
  })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_timeout' })
  late()
  await new Promise((resolve) => setImmediate(resolve))
  expect(isCancelled).toBe(true)
})

test('a reset in the middle of a body is tried again', async () => {
  const { baseUrl, requests } = await listenRaw((socket, count) => {
    if (count > 1) return void socket.end(`${HEAD}Content-Length: ${OK.length}\r\n\r\n${OK}`)
    socket.write(`${HEAD}Content-Length: ${OK.length}\r\n\r\n${OK.slice(0, 9)}`, () =>
      socket.resetAndDestroy(),
    )
  })
  const { upstream } = await openClient({ baseUrl })
  await upstream.fetchPage(1)
  expect(requests).toHaveLength(2)
})

test('a body cut at any byte is never taken for a page', async () => {
  const body = anEnvelope([{ id: 1 }])
  for (const framing of ['length', 'chunked', 'none']) {
    for (let cut = 0; cut < body.length; cut += 5) {
      const { baseUrl } = await listenRaw((socket) => {
        const part = body.slice(0, cut)
        if (framing === 'length') socket.end(`${HEAD}Content-Length: ${body.length}\r\n\r\n${part}`)
        else if (framing === 'none') socket.end(`${HEAD}Connection: close\r\n\r\n${part}`)
        else {
          const chunk = `${body.length.toString(16)}\r\n${part}`
          socket.end(`${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`)
        }
      })
      const { upstream } = await openClient({ baseUrl })
      expect(await rejection(upstream.fetchPage(1))).toMatchObject({
        fault: framing === 'none' ? 'upstream_contract' : 'upstream_unavailable',
      })
    }
  }
})

test('what is not HTTP is a broken contract and not sent again', async () => {
  const { baseUrl, requests } = await listenRaw((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
  const { upstream } = await openClient({ baseUrl })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_contract' })
  expect(requests).toHaveLength(1)
})

test('a service without TLS where TLS should be is not tried again', async () => {
  const { baseUrl } = await listen((_, response) => response.end(OK))
  const { upstream, sleeps } = await openClient({
    baseUrl: new URL(baseUrl.href.replace('http:', 'https:')),
  })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_unavailable' })
  expect(sleeps).toEqual([])
})

test('whoever gives up is let go at once, wherever the call stands, with their own reason', async () => {
  const reason = new Error('enough')
  const silent = await listenRaw(() => {})
  const halting = await listenRaw((socket) => socket.write(`${HEAD}Content-Length: 9\r\n\r\n{`))
  const ailing = await listen((_, response) => response.writeHead(503).end())
  const untilAborted = (_: number, signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject('asleep')))
  for (const { baseUrl, requests } of [silent, halting, ailing]) {
    const timeLimits = { headersMs: 9000, pageIdleMs: 9000, pageMs: 9000, callMs: 9000 }
    const { upstream } = await openClient({ baseUrl, timeLimits, sleep: untilAborted })
    const controller = new AbortController()
    const page = rejection(upstream.fetchPage(1, { signal: controller.signal }))
    while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    setTimeout(() => controller.abort(reason), 10)
    expect(await page).toBe(reason)
    expect(await rejection(upstream.fetchPage(1, { signal: controller.signal }))).toBe(reason)
    expect(requests).toHaveLength(1)
  }
  await expect.poll(() => silent.open() + halting.open()).toBe(0)
})
