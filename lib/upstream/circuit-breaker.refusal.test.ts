import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  anEnvelope,
  CANARY,
  listen,
  openClient,
  rejection,
  START,
} from '#testing/upstream/scripted-service.ts'

const OK = anEnvelope([])

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

test('a probe that the budget does not allow is not spent: the next one who may, sends it', async () => {
  let status = 401
  const { baseUrl, requests } = await listen((_, response) => response.writeHead(status).end(OK))
  const limits = { perMinute: null, perMonth: 11 }
  const { upstream, advance } = await openClient({ baseUrl, limits })
  await rejection(upstream.fetchPage(1, { purpose: 'people' }))
  advance(3601)
  status = 200
  expect(await rejection(upstream.fetchPage(1, { purpose: 'people' }))).toMatchObject({
    fault: 'budget_spent',
  })
  await upstream.fetchPage(1)
  expect(requests).toHaveLength(2)
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
