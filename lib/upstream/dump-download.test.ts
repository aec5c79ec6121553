import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  anEnvelope,
  listen,
  listenRaw,
  openClient,
  rejection,
} from '#testing/upstream/scripted-service.ts'
import type { UpstreamDeps } from './client.ts'
import type { DumpDownload } from './upstream.ts'

const CSV = `id,symbol\r\n${Array.from({ length: 400 }, (_, id) => `${id},ACME\r\n`).join('')}`
const TYPE = { 'content-type': 'text/csv; charset=utf-8' }

async function text({ body }: DumpDownload): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const openInProcess = (toResponse: () => Response, more: Partial<UpstreamDeps> = {}) =>
  openClient({
    baseUrl: new URL('http://in.process'),
    transport: async () => toResponse(),
    ...more,
  })

test('a dump comes byte for byte, with its size and validators', async () => {
  const validators = {
    etag: '"e"',
    'last-modified': 'Sun, 15 Nov 2026 05:00:00 GMT',
    date: 'Sun, 15 Nov 2026 05:01:00 GMT',
  }
  const { baseUrl, requests } = await listen((_, response) =>
    response.writeHead(200, { ...TYPE, ...validators, 'content-length': CSV.length }).end(CSV),
  )
  const { upstream } = await openClient({ baseUrl })
  const dump = await upstream.fetchDump('posts')
  expect(dump).toMatchObject({
    from: 0,
    totalBytes: CSV.length,
    validators: { etag: validators.etag, lastModified: validators['last-modified'] },
  })
  expect(await text(dump)).toBe(CSV)
  await upstream.fetchDump('lookups').then(text)
  expect(requests.map((one) => one.split('?')[0])).toEqual([
    '/service/api/v1/posts/dumps',
    '/service/api/v1/lookups/dumps',
  ])
})

test('a gzipped dump is decoded, and nobody claims to know its size', async () => {
  const { baseUrl } = await listen((request, response) => {
    expect(request.headers['accept-encoding']).toBe('gzip')
    response.writeHead(200, { ...TYPE, 'content-encoding': 'gzip' }).end(gzipSync(CSV))
  })
  const { upstream } = await openClient({ baseUrl })
  const dump = await upstream.fetchDump('posts')
  expect(dump).toMatchObject({ totalBytes: null, validators: { etag: null, lastModified: null } })
  expect(await text(dump)).toBe(CSV)
})

test('the end of a dump is known by a length, by chunks or by gzip, and not by the end of its connection', async () => {
  const packed = gzipSync(CSV)
  const { baseUrl } = await listenRaw((socket, count) => {
    const [headers = '', body = ''] =
      [
        [`content-length: ${CSV.length}`, CSV],
        ['transfer-encoding: chunked', `${CSV.length.toString(16)}\r\n${CSV}\r\n0\r\n\r\n`],
        ['content-encoding: gzip', packed],
        ['x-nothing: said', CSV],
      ][count - 1] ?? []
    socket.write(`HTTP/1.1 200 OK\r\nconnection: close\r\n${headers}\r\n\r\n`)
    socket.end(body)
  })
  const { upstream } = await openClient({ baseUrl })
  for (const hasKnownEnd of [true, true, true, false]) {
    const dump = await upstream.fetchDump('posts')
    expect(dump.hasKnownEnd).toBe(hasKnownEnd)
    expect(await text(dump)).toBe(CSV)
  }
})

const gzipped = (bytes: Uint8Array<ArrayBuffer>) => () =>
  new Response(new Blob([bytes]).stream(), { headers: { 'content-encoding': 'gzip' } })

test('gzip that is cut anywhere is an error, though its bytes all arrived', async () => {
  const whole = gzipSync(CSV)
  for (let cut = 0; cut < whole.length; cut += 7) {
    const { upstream } = await openInProcess(gzipped(whole.subarray(0, cut)))
    const error = await rejection(upstream.fetchDump('posts').then(text))
    expect(error).toMatchObject({ fault: 'upstream_unavailable' })
  }
})

test('gzip that is followed by anything, or has a bit turned, is an error', async () => {
  const whole = gzipSync(CSV)
  const turned = Buffer.from(whole)
  turned[whole.length >> 1] = (turned[whole.length >> 1] ?? 0) ^ 16
  const followed = ['junk', '\0\0\0', '\0\0junk'].map((tail) =>
    Buffer.concat([whole, Buffer.from(tail)]),
  )
  for (const bytes of [turned, ...followed]) {
    const { upstream } = await openInProcess(gzipped(bytes))
    const error = await rejection(upstream.fetchDump('posts').then(text))
    expect(error).toMatchObject({ fault: 'upstream_contract' })
  }
})

test('a gzip bomb, or any dump over the limit, is aborted long before it is unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'a'))
  const { upstream } = await openInProcess(gzipped(bomb))
  const dump = await upstream.fetchDump('posts')
  let decoded = 0
  const read = async () => {
    for await (const chunk of dump.body) decoded += chunk.byteLength
  }
  expect(await rejection(read())).toMatchObject({ fault: 'upstream_contract' })
  expect(decoded).toBeLessThan(18 * 1024 * 1024)

  const small = await openInProcess(() => new Response(CSV), { sizeLimits: { dumpBytes: 1000 } })
  expect(await rejection(small.upstream.fetchDump('posts').then(text))).toMatchObject({
    fault: 'upstream_contract',
  })
})

test('a length that is not that of the bytes is an error, over a socket and without one', async () => {
  const { baseUrl } = await listenRaw((socket) =>
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${CSV.length + 5}\r\n\r\n${CSV}`),
  )
  const remote = await openClient({ baseUrl })
  const error = await rejection(remote.upstream.fetchDump('posts').then(text))
  expect(error).toMatchObject({ fault: 'upstream_unavailable' })
  for (const length of [CSV.length + 1, CSV.length - 1]) {
    const near = await openInProcess(
      () => new Response(CSV, { headers: { 'content-length': String(length) } }),
    )
    expect(await rejection(near.upstream.fetchDump('posts').then(text))).toMatchObject({
      fault: 'upstream_unavailable',
    })
  }
})

test('a dump reset or ended in the middle of a chunk is an error', async () => {
  for (const end of ['end', 'resetAndDestroy'] as const) {
    const { baseUrl } = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n')
      socket.write(`fff\r\n${CSV.slice(0, 100)}`, () => socket[end]())
    })
    const { upstream } = await openClient({ baseUrl })
    const error = await rejection(upstream.fetchDump('posts').then(text))
    expect(error).toMatchObject({ fault: 'upstream_unavailable' })
  }
})

const NO_DUMPS: [string, Record<string, string>, string, string][] = [
  ['a web page', { 'content-type': 'text/html' }, CSV, 'upstream_contract'],
  ['a web page that says it is CSV', TYPE, '\ufeff \n<!doctype html>', 'upstream_contract'],
  ['nothing', TYPE, '', 'upstream_contract'],
  ['blanks', TYPE, ' \n', 'upstream_contract'],
  ['JSON', { 'content-type': 'application/json' }, anEnvelope([]), 'upstream_contract'],
  ['JSON that says it is CSV', TYPE, anEnvelope([]), 'upstream_contract'],
  ['a failure with 401', TYPE, '{"success":false,"code":401}', 'upstream_refused'],
  ['a failure with 500', TYPE, '{"success":false,"code":500}', 'upstream_unavailable'],
  ['half an envelope', TYPE, '{"success":fal', 'upstream_contract'],
  ['JSON without end', TYPE, `{"a":"${'x'.repeat(200_000)}`, 'upstream_contract'],
]
test.each(NO_DUMPS)('%s is no dump', async (_, headers, body, fault) => {
  const { upstream } = await openInProcess(() => new Response(body, { headers }))
  expect(await rejection(upstream.fetchDump('posts'))).toMatchObject({ fault })
})

test('a dump that stands still or drips is a timeout, one that keeps coming has all the time it needs', async () => {
  const timeLimits = { headersMs: 5000, dumpIdleMs: 600, dumpIdleBytes: 100, callMs: 700 }
  const cases: [number, string | null][] = [
    [3, 'upstream_timeout'],
    [60, null],
  ]
  for (const [bytesEach, fault] of cases) {
    const { baseUrl } = await listen((_, response) => {
      let left = 40
      const drip = setInterval(() => {
        if (left-- > 0) response.write('x'.repeat(bytesEach))
        else response.end()
      }, 25)
      response.on('close', () => clearInterval(drip))
    })
    const { upstream } = await openClient({ baseUrl, timeLimits })
    const whole = upstream.fetchDump('posts').then(text)
    if (fault) expect(await rejection(whole)).toMatchObject({ fault })
    else expect(await whole).toHaveLength(2400)
  }
})

test('whoever stops reading ends the connection, even before the first byte', async () => {
  const { baseUrl, open } = await listenRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\nid,symbol\r\n')
    socket.write('1,ABC\r\n'.repeat(100))
  })
  const { upstream } = await openClient({ baseUrl })
  const early = (await upstream.fetchDump('posts')).body[Symbol.asyncIterator]()
  await early.return?.()
  expect(await early.next()).toMatchObject({ done: true })
  for await (const _ of (await upstream.fetchDump('posts')).body) break
  await expect.poll(open).toBe(0)
})

test('whoever gives up in the middle is let go with their own reason, and the connection ends', async () => {
  const reason = new Error('enough')
  for (const encoding of ['identity', 'gzip']) {
    const { baseUrl, open } = await listenRaw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\n\r\n`)
      socket.write(encoding === 'gzip' ? gzipSync(CSV) : CSV)
    })
    const controller = new AbortController()
    const { upstream } = await openClient({ baseUrl, timeLimits: { dumpIdleMs: 9000 } })
    const { body } = await upstream.fetchDump('posts', { signal: controller.signal })
    const read = async () => {
      for await (const _ of body) setTimeout(() => controller.abort(reason), 10)
    }
    expect(await rejection(read())).toBe(reason)
    await expect.poll(open).toBe(0)
  }
})

const OTHER = CSV.replaceAll('ACME', 'EMCA')
const SUNDAY = 'Sun, 15 Nov 2026 05:00:00 GMT'
const HELD = 1000
const PART = { bytes: HELD, etag: '"a"', lastModified: null }

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
