import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  anEnvelope,
  CANARY,
  listen,
  openClient,
  rejection,
  START,
} from '#testing/upstream/scripted-service.ts'

const OK = anEnvelope([])

async function openFailingService() {
  const state = { status: 503 }
  const { baseUrl, requests } = await listen((_, response) =>
    response.writeHead(state.status).end(OK),
  )
  return { baseUrl, requests, state }
}

const DOWN = { fault: 'upstream_unavailable' }

test('after three calls in a row without a service, one probe goes each interval, from 1 to 60 minutes', async () => {
  const { baseUrl, requests, state } = await openFailingService()
  const { upstream, advance } = await openClient({ baseUrl })
  for (let call = 0; call < 3; call += 1) await rejection(upstream.fetchPage(1))
  expect(requests).toHaveLength(9)
  for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
    const sent = requests.length
    const refused = await rejection(upstream.fetchDump('posts'))
    expect(refused).toMatchObject({
      ...DOWN,
      message: expect.stringContaining(
        'Requests are paused. The service reported an internal error.',
      ),
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
  const { baseUrl, requests } = await openFailingService()
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
    message: expect.stringContaining('The service reported an internal error.'),
  })
  expect(requests).toHaveLength(sent)
  advance(62)
  await rejection(upstream.fetchPage(1))
  expect(requests).toHaveLength(sent + 1)
  expect(upstream.budget().pausedUntil).toBeGreaterThan(now() + 3 * 60)
})

test('a process that dies with each call still counts to three', async () => {
  const { baseUrl, requests } = await openFailingService()
  let folder: string | undefined
  for (let call = 0; call < 6; call += 1) {
    const client = await openClient({ baseUrl, ...(folder ? { folder } : {}), startAt: START + 30 })
    await rejection(client.upstream.fetchPage(1))
    folder = client.folder
    await client.close()
  }
  expect(requests).toHaveLength(9)
})

test('many callers at once open it no further than to its first minute', async () => {
  const { baseUrl } = await openFailingService()
  const { upstream } = await openClient({ baseUrl })
  await Promise.all(Array.from({ length: 30 }, () => rejection(upstream.fetchPage(1))))
  expect((upstream.budget().pausedUntil ?? 0) - START).toBeLessThan(120)
})

const httpDate = (seconds: number) => new Date(seconds * 1000).toUTCString()
const SHORT: [string, string, number][] = [
  ['seconds', '7', 7000],
  ['a date', httpDate(START + 9), 9000],
  ['a second', '1', 1000],
]
test.each(SHORT)('Retry-After as %s outranks the backoff', async (_, retryAfter, waitMs) => {
  const { baseUrl, requests } = await listen((_, response, count) =>
    response
      .writeHead(count === 1 ? 429 : 200, { 'retry-after': retryAfter, date: httpDate(START) })
      .end(OK),
  )
  const { upstream, sleeps } = await openClient({ baseUrl })
  await upstream.fetchPage(1)
  expect(sleeps).toEqual([waitMs])
  expect(requests).toHaveLength(2)
})

test.each(['soon', '0', httpDate(START - 500)])(
  'a Retry-After of %j leaves a 503 to the backoff',
  async (retryAfter) => {
    const { baseUrl } = await listen((_, response, count) =>
      response.writeHead(count === 1 ? 503 : 200, { 'retry-after': retryAfter }).end(OK),
    )
    const { upstream, sleeps } = await openClient({ baseUrl })
    await upstream.fetchPage(1)
    expect(sleeps).toEqual([250])
  },
)

const LONG: [string, Record<string, string>, number][] = [
  ['31 seconds', { 'retry-after': '31' }, 31],
  ['more than a day', { 'retry-after': '99999' }, 86_400],
  ['an absurd number', { 'retry-after': '99999999999' }, 86_400],
  ['an absurd date', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 86_400],
  ['a date in an hour', { 'retry-after': httpDate(START + 3600) }, 3600],
  ['something unreadable', { 'retry-after': 'soon' }, 60],
  ['nothing', {}, 60],
  ['zero', { 'retry-after': '0' }, 60],
  ['a date that has passed', { 'retry-after': httpDate(START - 500) }, 60],
]
test.each(LONG)(
  'a 429 that says %s is left to the planner, and until then nothing is sent',
  async (_, headers, seconds) => {
    const { baseUrl, requests } = await listen((_, response, count) =>
      response.writeHead(count === 1 ? 429 : 200, { ...headers, date: httpDate(START) }).end(OK),
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

test('a date to wait for is meant by the clock of the service', async () => {
  const headers = { 'retry-after': httpDate(START + 90_000), date: httpDate(START + 86_400) }
  const { baseUrl } = await listen((_, response) => response.writeHead(429, headers).end())
  const { upstream } = await openClient({ baseUrl })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ retryAfterSeconds: 3600 })
})

test('a file of pauses that cannot be read is none', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.end(OK))
  const { folder } = await openClient({ baseUrl })
  for (const text of ['', '{', '[]', '{"paused":{"from":1,"until":"x"}}', '\0\0']) {
    await writeFile(join(folder, 'pause.json'), text)
    const { upstream } = await openClient({ baseUrl, folder })
    expect(upstream.budget().pausedUntil).toBe(null)
    await upstream.fetchPage(1)
  }
  expect(requests).toHaveLength(5)
})

describe('a pause that the service asked for', () => {
  async function openPaused(retryAfter: string) {
    const state = { isOver: false }
    const { baseUrl, requests } = await listen((_, response) =>
      response.writeHead(state.isOver ? 200 : 429, { 'retry-after': retryAfter }).end(OK),
    )
    const client = await openClient({ baseUrl })
    await rejection(client.upstream.fetchPage(1))
    return { ...client, baseUrl, requests, state }
  }
  const isPaused = { fault: 'upstream_unavailable', message: 'The service asked for a pause.' }

  test('lets one probe through, also across a restart, and no second one', async () => {
    const { upstream, requests, folder, baseUrl } = await openPaused('99999999999')
    expect(upstream.allowProbe()).toBe(true)
    expect(upstream.budget().pausedUntil).toBeNull()
    await rejection(upstream.fetchPage(1))
    expect(requests).toHaveLength(2)
    expect(upstream.allowProbe()).toBe(false)
    const again = await openClient({ baseUrl, folder, startAt: START + 60 })
    expect(again.upstream.allowProbe()).toBe(false)
    expect(await rejection(again.upstream.fetchPage(1))).toMatchObject(isPaused)
    expect(requests).toHaveLength(2)
  })

  test('is waited out when it is a minute or less', async () => {
    const { upstream, requests } = await openPaused('45')
    expect(upstream.allowProbe()).toBe(false)
    expect(await rejection(upstream.fetchPage(1))).toMatchObject(isPaused)
    expect(requests).toHaveLength(1)
  })

  test('ends for a different key, in the running process and at a start', async () => {
    const { upstream, requests, folder, baseUrl } = await openPaused('99999999999')
    await upstream.changeKey('another-key-of-tests')
    await rejection(upstream.fetchPage(1))
    expect(requests).toHaveLength(2)
    const again = await openClient({ baseUrl, folder, key: 'a-third-key-of-tests' })
    await rejection(again.upstream.fetchPage(1))
    expect(requests).toHaveLength(3)
    expect(await rejection(again.upstream.fetchPage(1))).toMatchObject(isPaused)
  })
})

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

test('a refusal outlives restarts: one probe an hour, however often the process begins anew', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.writeHead(401).end())
  let client = await openClient({ baseUrl })
  const { folder } = client
  await rejection(client.upstream.fetchPage(1))
  for (let minute = 10; minute <= 150; minute += 10) {
    const startAt = START + minute * 60
    client = await openClient({ baseUrl, folder, startAt })
    const error = await rejection(client.upstream.fetchPage(1))
    expect(error).toMatchObject({ fault: 'upstream_refused' })
    expect(client.upstream.budget().pausedUntil).toBeGreaterThan(startAt)
    await client.close()
  }
  expect(requests).toHaveLength(3)
})

test('another key is tried at once, and the one that was refused not again', async () => {
  const { baseUrl, requests } = await listen((request, response) =>
    response.writeHead(request.url?.includes('good') ? 200 : 401).end(OK),
  )
  const first = await openClient({ baseUrl, key: 'bad-key-of-mine' })
  await rejection(first.upstream.fetchPage(1))
  const { folder } = first
  const same = await openClient({ baseUrl, folder, key: 'bad-key-of-mine' })
  expect(await rejection(same.upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_refused' })
  const other = await openClient({ baseUrl, folder, key: 'good-key-of-mine' })
  await other.upstream.fetchPage(1)
  await other.upstream.fetchPage(1)
  expect(requests).toHaveLength(3)
})

test('a key that is changed while requests are under way is tried at once, and what is said of the former one is not believed of it', async () => {
  const held: (() => void)[] = []
  const { baseUrl, requests } = await listen((request, response) => {
    if (request.url?.includes('another-key')) return void response.end(OK)
    if (requests.length === 2) return void held.push(() => response.writeHead(401).end())
    response.writeHead(401).end()
  })
  const { upstream, advance } = await openClient({ baseUrl })
  await rejection(upstream.fetchPage(1))
  advance(3601)
  const late = rejection(upstream.fetchPage(1))
  await expect.poll(() => held.length).toBe(1)
  await upstream.changeKey('another-key')
  for (const answer of held) answer()
  expect(await late).toMatchObject({ fault: 'upstream_refused' })
  expect((await upstream.fetchPage(1)).rows).toEqual([])
  expect(upstream.budget().pausedUntil).toBeNull()
  expect(requests.at(-1)).toContain('another-key')
})

test('after a change an answer that repeats either key is no answer', async () => {
  const said = ['another-key', CANARY]
  const { baseUrl } = await listen((_, response) => {
    response.end(JSON.stringify({ success: true, code: 200, data: [], note: said.shift() }))
  })
  const { upstream } = await openClient({ baseUrl })
  await upstream.changeKey('another-key')
  for (const page of [1, 2]) {
    expect(await rejection(upstream.fetchPage(page))).toMatchObject({ fault: 'upstream_contract' })
  }
})

test('what is kept of a refused key tells nobody the key', async () => {
  const { baseUrl } = await listen((_, response) => response.writeHead(403).end())
  const texts: string[] = []
  for (let count = 0; count < 2; count += 1) {
    const { upstream, folder } = await openClient({ baseUrl, key: CANARY })
    await rejection(upstream.fetchPage(1))
    texts.push(await readFile(join(folder, 'pause.json'), 'utf8'))
  }
  const marks = texts.map((text) => JSON.parse(text).refused.mark)
  expect(marks[0]).not.toBe(marks[1])
  const forms = [CANARY, encodeURIComponent(CANARY), Buffer.from(CANARY).toString('base64')]
  for (const hash of ['sha256', 'sha1', 'md5']) {
    forms.push(createHash(hash).update(CANARY).digest('hex'))
  }
  for (const form of forms) expect(texts.join('')).not.toContain(form)
})
