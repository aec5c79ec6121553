import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { makeRatings, toCsv } from '#testing/make-ratings.ts'
import * as faults from './faults.ts'
import { type HostileServer, startHostileServer } from './hostile-server.ts'

async function start() {
  const pauses: number[] = []
  const server = await startHostileServer(
    {
      now: () => 1_790_000_000,
      wait: async (ms) => {
        pauses.push(ms)
      },
    },
    { ratings: makeRatings(1, 200) },
  )
  onTestFinished(() => server.stop())
  return { server, pauses }
}

const DUMP = '/api/v1/posts/dumps'
const TEXT = toCsv(makeRatings(1, 200))

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error) => error.code ?? error.message,
  )

async function load({ url }: HostileServer, path = DUMP) {
  const { statusCode, headers, body } = await request(`${url}${path}`)
  const chunks: Buffer[] = []
  const ended = codeOf(
    (async () => {
      for await (const chunk of body) chunks.push(chunk)
    })(),
  )
  return { status: statusCode, headers, end: await ended, bytes: Buffer.concat(chunks) }
}

test('what nothing is done to arrives as it is', async () => {
  const { server } = await start()
  const { status, headers, end, bytes } = await load(server)
  expect([status, end, bytes.toString()]).toEqual([200, 'no error', TEXT])
  expect(headers['content-length']).toBe(String(bytes.length))
  expect(server.requests).toMatchObject([{ endpoint: 'posts', status: 200, method: 'GET' }])
})

test('a body is cut at the byte that was told, in good order or not', async () => {
  const { server } = await start()
  server.misbehave(faults.cut(1000), { times: 1 })
  const broken = await load(server)
  expect(broken.end).not.toBe('no error')
  expect(broken.bytes.length).toBeLessThanOrEqual(1000)
  server.misbehave(
    {
      ...faults.withoutLength('close'),
      delivery: { framing: 'close', stop: { at: 1000, how: 'end' } },
    },
    { times: 1 },
  )
  const ended = await load(server)
  expect([ended.end, ended.bytes.toString()]).toEqual(['no error', TEXT.slice(0, 1000)])
})

test('a length may be said that is not that of the bytes, either way', async () => {
  const { server } = await start()
  server.misbehave(faults.lyingLength(50), { times: 1 })
  expect((await load(server)).end).not.toBe('no error')
  server.misbehave(faults.lyingLength(-50), { times: 1 })
  expect((await load(server)).bytes.length).toBeLessThanOrEqual(TEXT.length - 50)
})

test('chunks, packed bodies and bombs are what they say, but for their size', async () => {
  const { server } = await start()
  server.misbehave(faults.withoutLength(), { times: 1 })
  const chunked = await load(server)
  expect(chunked.headers['transfer-encoding']).toBe('chunked')
  expect(chunked.bytes.toString()).toBe(TEXT)
  server.misbehave(faults.bomb(4), { times: 1 })
  const packed = await load(server)
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(packed.bytes.length).toBeLessThan(20_000)
  expect(gunzipSync(packed.bytes).length).toBe(4 * 1024 * 1024)
  server.misbehave(faults.cutGzip(), { times: 1 })
  const cut = await load(server)
  expect(cut.end).toBe('no error')
  expect(() => gunzipSync(cut.bytes)).toThrow()
})

test('it drips, and takes its time with its headers', async () => {
  const { server, pauses } = await start()
  server.misbehave(faults.drip(10_000, 250), { times: 1 })
  expect((await load(server)).bytes.toString()).toBe(TEXT)
  expect(pauses).toEqual(Array.from({ length: Math.ceil(TEXT.length / 10_000) }, () => 250))
  server.misbehave(faults.slowHead(70), { times: 1 })
  expect((await load(server)).status).toBe(200)
  expect(pauses.slice(-4)).toEqual([70, 70, 70, 70])
})

test('what waits half way goes on when it is let go', async () => {
  const { server } = await start()
  let letGo = () => {}
  const how = new Promise<void>((resolve) => {
    letGo = resolve
  })
  server.misbehave(faults.cut('half', how), { times: 1 })
  const { body } = await request(`${server.url}${DUMP}`)
  const chunks: Buffer[] = []
  for await (const chunk of body) {
    chunks.push(chunk)
    if (Buffer.concat(chunks).length >= Math.floor(TEXT.length / 2)) letGo()
  }
  expect(Buffer.concat(chunks).toString()).toBe(TEXT)
})

test('it resets, falls silent, goes away and comes back on the same port', async () => {
  const { server } = await start()
  server.misbehave(faults.reset(), { times: 1 })
  expect(await codeOf(load(server))).toMatch(/ECONNRESET|UND_ERR_SOCKET/)
  server.misbehave(faults.silence(), { times: 1 })
  const silent = codeOf(load(server))
  await expect.poll(() => server.count()).toBe(2)
  await server.cutOff()
  expect(await silent).not.toBe('no error')
  expect(server.open()).toBe(0)
  expect(await codeOf(load(server))).toBe('ECONNREFUSED')
  await server.comeBack()
  expect((await load(server)).status).toBe(200)
})

test('a redirect leads where it was told, also round and round', async () => {
  const { server } = await start()
  server.misbehave(
    faults.redirect((url) => url),
    { times: 1 },
  )
  expect((await load(server)).headers.location).toMatch(/\/base\/api\/v1\/posts\/dumps$/)
})

test('after it has stopped nothing is open, whatever it was in the middle of', async () => {
  const { server } = await start()
  server.misbehave(faults.silence())
  const silent = [1, 2, 3].map(() => codeOf(load(server)))
  await expect.poll(() => server.open()).toBe(3)
  await server.stop()
  expect(await Promise.all(silent)).not.toContain('no error')
  expect(server.open()).toBe(0)
})
