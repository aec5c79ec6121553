import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { listen, listenRaw, openClient, rejection } from '#testing/upstream/scripted-service.ts'
import type { DumpDownload } from './upstream.ts'

const CSV = `id,symbol\r\n${Array.from({ length: 400 }, (_, id) => `${id},ACME\r\n`).join('')}`
const OTHER = CSV.replaceAll('ACME', 'EMCA')
const SUNDAY = 'Sun, 15 Nov 2026 05:00:00 GMT'
const HELD = 1000
const PART = { bytes: HELD, etag: '"a"', lastModified: null }

async function text({ body }: DumpDownload): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const joined = async (dump: DumpDownload, whole = CSV) =>
  whole.slice(0, dump.from) + (await text(dump))

type Answer = { status: number; headers?: Record<string, string>; body: string | Buffer }

const toRest = (more: Record<string, string> = {}, body: string | Buffer = CSV.slice(HELD)) => ({
  status: 206,
  headers: {
    etag: '"a"',
    'content-range': `bytes ${HELD}-${CSV.length - 1}/${CSV.length}`,
    ...more,
  },
  body,
})

async function openRanging(answer: Answer) {
  const asked: Record<string, string | undefined>[] = []
  const { baseUrl, requests } = await listen((request, response) => {
    const { range, 'if-range': ifRange, 'accept-encoding': encoding } = request.headers
    asked.push({ range, ifRange: ifRange?.toString(), encoding: encoding?.toString() })
    if (range) response.writeHead(answer.status, answer.headers).end(answer.body)
    else response.writeHead(200, { etag: '"b"' }).end(OTHER)
  })
  return { ...(await openClient({ baseUrl })), asked, requests }
}

test('the rest of a dump is asked for unencoded and by what tells it apart, and joins what is held', async () => {
  const { upstream, asked } = await openRanging(toRest())
  const dump = await upstream.fetchDump('posts', { part: PART })
  expect(dump).toMatchObject({ from: HELD, totalBytes: CSV.length, validators: { etag: '"a"' } })
  expect(await joined(dump)).toBe(CSV)
  expect(asked).toEqual([{ range: 'bytes=1000-', ifRange: '"a"', encoding: 'identity' }])
  expect(upstream.budget().spent.dump).toBe(1)
})

test('a date stands in for a tag where there is none', async () => {
  const { upstream, asked } = await openRanging(toRest({ 'last-modified': SUNDAY }))
  const part = { bytes: HELD, etag: null, lastModified: SUNDAY }
  expect((await upstream.fetchDump('posts', { part })).from).toBe(HELD)
  expect(asked[0]?.ifRange).toBe(SUNDAY)
})

test('a dump that was replaced meanwhile comes whole, from its first byte', async () => {
  const replaced = { status: 200, headers: { etag: '"b"' }, body: OTHER }
  const { upstream, requests } = await openRanging(replaced)
  const dump = await upstream.fetchDump('posts', { part: PART })
  expect(dump.from).toBe(0)
  expect(await joined(dump, OTHER)).toBe(OTHER)
  expect(requests).toHaveLength(1)
})

const range = (text: string) => ({ 'content-range': text })
const SIZE = CSV.length
const UNFIT: [string, Answer][] = [
  ['a 416', { status: 416, headers: range(`bytes */${HELD}`), body: '' }],
  ['a part of another version', toRest({ etag: '"b"' })],
  ['a part of a version that is only said to be alike', toRest({ etag: 'W/"a"' })],
  [
    'a part that does not say of what',
    { ...toRest(), headers: range(`bytes 1000-${SIZE - 1}/${SIZE}`) },
  ],
  ['a part from elsewhere', toRest(range(`bytes 999-${SIZE - 1}/${SIZE}`))],
  ['a part from the start', toRest(range(`bytes 0-${SIZE - 1}/${SIZE}`), CSV)],
  ['a part that ends early', toRest(range(`bytes 1000-1099/${SIZE}`), CSV.slice(HELD, 1100))],
  ['a part of who knows how much', toRest(range(`bytes 1000-${SIZE - 1}/*`))],
  ['a part without range', toRest(range(''))],
  ['a part in other units', toRest(range('rows 1000-2000/2001'))],
  ['a part that is gzipped', toRest({ 'content-encoding': 'gzip' }, gzipSync(CSV.slice(HELD)))],
  ['several parts', toRest({ 'content-type': 'multipart/byteranges; boundary=x' })],
  ['a web page', toRest({ 'content-type': 'text/html' })],
  ['a part of another length', toRest({ 'content-length': '5' }, 'short')],
]
test.each(UNFIT)('%s is never joined: the whole is asked for, and charged', async (_, answer) => {
  const { upstream, asked } = await openRanging(answer)
  const dump = await upstream.fetchDump('posts', { part: PART })
  expect(dump.from).toBe(0)
  expect(await joined(dump, OTHER)).toBe(OTHER)
  expect(asked.map(({ range: sent }) => sent)).toEqual(['bytes=1000-', undefined])
  expect(upstream.budget().spent.dump).toBe(2)
})

test('a rest that is shorter or longer than it has to be is an error, with and without a length', async () => {
  const head = `HTTP/1.1 206 Partial\r\nETag: "a"\r\nContent-Range: bytes 1000-${SIZE - 1}/${SIZE}\r\n`
  for (const body of [CSV.slice(HELD, -1), `${CSV.slice(HELD)}x`, '']) {
    const chunk = body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`
    const { baseUrl } = await listenRaw((socket) =>
      socket.end(`${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`),
    )
    const { upstream } = await openClient({ baseUrl })
    const whole = upstream.fetchDump('posts', { part: PART }).then(text)
    expect(await rejection(whole)).toMatchObject({ fault: 'upstream_unavailable' })
  }
  const { baseUrl } = await listenRaw((socket) =>
    socket.end(`${head}Content-Length: ${SIZE - HELD}\r\n\r\n${CSV.slice(HELD, -9)}`),
  )
  const { upstream } = await openClient({ baseUrl })
  const whole = upstream.fetchDump('posts', { part: PART }).then(text)
  expect(await rejection(whole)).toMatchObject({ fault: 'upstream_unavailable' })
})

test('what nothing tells apart for certain is asked for whole at once', async () => {
  const parts = [
    { ...PART, etag: null },
    { ...PART, etag: 'W/"a"' },
    { ...PART, etag: 'W/"a"', lastModified: SUNDAY },
    { ...PART, etag: 'no tag' },
    { ...PART, bytes: 0 },
    { ...PART, bytes: 1.5 },
    { ...PART, bytes: -1 },
  ]
  for (const part of parts) {
    const { upstream, asked } = await openRanging(toRest())
    expect((await upstream.fetchDump('posts', { part })).from).toBe(0)
    expect(asked).toMatchObject([{ range: undefined, ifRange: undefined, encoding: 'gzip' }])
  }
})

test('the rest of a new dump and a condition on the old one go in one request', async () => {
  const { upstream, requests, asked } = await openRanging(toRest())
  const held = { etag: '"old"', lastModified: null }
  const dump = await upstream.fetchDumpIfChanged('posts', held, { part: PART })
  expect(dump?.from).toBe(HELD)
  expect(asked[0]?.range).toBe('bytes=1000-')
  expect(requests).toHaveLength(1)
})

test('a part where the whole was asked for is no dump', async () => {
  const { baseUrl } = await listen((_, response) =>
    response.writeHead(206, toRest().headers).end(CSV.slice(HELD)),
  )
  const { upstream } = await openClient({ baseUrl })
  expect(await rejection(upstream.fetchDump('posts'))).toMatchObject({ fault: 'upstream_contract' })
})
