import { expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import {
  anEnvelope,
  aRating,
  CANARY,
  listen,
  listenRaw,
  openClient,
  rejection,
} from '#testing/upstream/scripted-service.ts'
import type { DumpDownload, Validators } from './upstream.ts'

test('a page comes with its rows parsed and its data as it came', async () => {
  const rows = [aRating(2), aRating(1, { mood: 'glad' })]
  const { baseUrl, requests } = await listen((_, response) => response.end(anEnvelope(rows)))
  const { upstream } = await openClient({ baseUrl })
  const page = await upstream.fetchPage(3)
  expect(page.page).toBe(3)
  expect(page.data).toEqual(rows)
  expect(page.rows[0]).toMatchObject({ ok: true, rating: { id: 2 }, extra: null })
  expect(page.rows[1]).toMatchObject({ ok: true, rating: { id: 1 }, extra: { mood: 'glad' } })
  const asked = new URL(requests[0] ?? '', baseUrl)
  expect(asked.pathname).toBe('/service/api/v1/posts')
  expect(Object.fromEntries(asked.searchParams)).toEqual({ api_key: CANARY, page: '3' })
})

test('the key goes into the header where that is asked, and nowhere else', async () => {
  const seen: (string | undefined)[] = []
  const { baseUrl, requests } = await listen((request, response) => {
    seen.push(request.headers.authorization)
    response.end(anEnvelope([]))
  })
  const { upstream } = await openClient({ baseUrl, key: 'abc', keyIn: 'header' })
  await upstream.fetchPage(1)
  expect(seen).toEqual(['Bearer abc'])
  expect(requests).toEqual(['/service/api/v1/posts?page=1'])
})

test('a key that no header can carry is refused without being shown', async () => {
  const error = await rejection(
    openClient({ baseUrl: new URL('http://127.0.0.1:1'), keyIn: 'header' }),
  )
  expect(error).toMatchObject({ fault: 'internal' })
  expect(String((error as Error).stack)).not.toContain(CANARY)
})

test('the address for people holds no key, userinfo or query', async () => {
  const baseUrl = new URL(
    `http://u:${encodeURIComponent(CANARY)}@127.0.0.1:9/a/?api_key=${CANARY}#x`,
  )
  const { upstream } = await openClient({ baseUrl })
  expect(upstream.service).toEqual({
    kind: 'remote',
    address: 'http://127.0.0.1:9/a',
    invented: false,
  })
})

test('a row that is not a rating comes back rejected with its reason, and the others come too', async () => {
  const rows = [aRating(1), aRating(2, { prediction: 'high' }), 'nonsense', null]
  const { baseUrl } = await listen((_, response) => response.end(anEnvelope(rows)))
  const { upstream } = await openClient({ baseUrl })
  const page = await upstream.fetchPage(1)
  expect(page.rows.map(({ ok }) => ok)).toEqual([true, false, false, false])
  expect(page.rows[1]).toMatchObject({ reason: expect.stringContaining('prediction') })
  expect(page.rows[2]).toMatchObject({ raw: '"nonsense"' })
})

test('`__proto__` in a row changes nothing but the row', async () => {
  const text = anEnvelope([aRating(1)]).replace('"id":1', '"__proto__":{"polluted":1},"id":1')
  const { baseUrl } = await listen((_, response) => response.end(text))
  const { upstream } = await openClient({ baseUrl })
  expect((await upstream.fetchPage(1)).rows[0]).toMatchObject({ ok: true })
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

const PAST_THE_END: [string, number, string][] = [
  ['an empty list', 200, anEnvelope([])],
  ['a 404', 404, '<h1>Not found</h1>'],
  ['an envelope that says 404', 200, '{"success":false,"code":404,"data":[]}'],
]
test.each(PAST_THE_END)('%s behind the first page is the end', async (_, status, body) => {
  const { baseUrl } = await listen((_, response) => response.writeHead(status).end(body))
  const { upstream } = await openClient({ baseUrl })
  expect(await upstream.fetchPage(2)).toMatchObject({
    page: 2,
    rows: [],
    data: [],
    isNotFound: status === 404 || body.includes('404'),
  })
})

const FAULTY: [string, number, Record<string, string>, string, string, number][] = [
  ['a web page with 200', 200, { 'content-type': 'text/html' }, '<html>', 'upstream_contract', 1],
  ['plain text with 200', 200, { 'content-type': 'text/plain' }, 'hello', 'upstream_contract', 1],
  ['an empty body with 200', 200, {}, '', 'upstream_contract', 1],
  ['JSON that is cut', 200, {}, anEnvelope([aRating(1)]).slice(0, -9), 'upstream_contract', 1],
  ['bytes that are not UTF-8', 200, {}, '\xff', 'upstream_contract', 1],
  ['a list without envelope', 200, {}, '[]', 'upstream_contract', 1],
  ['data that is null', 200, {}, anEnvelope(null), 'upstream_contract', 1],
  ['data that is an object', 200, {}, anEnvelope({}), 'upstream_contract', 1],
  ['data that is missing', 200, {}, '{"success":true,"code":200}', 'upstream_contract', 1],
  ['success that is a text', 200, {}, '{"success":"true","data":[]}', 'upstream_contract', 1],
  ['nesting without end', 200, {}, `{"a":${'['.repeat(100_000)}`, 'upstream_contract', 1],
  ['two layers of gzip', 200, { 'content-encoding': 'gzip, gzip' }, 'x', 'upstream_contract', 1],
  ['brotli', 200, { 'content-encoding': 'br' }, 'x', 'upstream_contract', 1],
  ['a failure that says no code', 200, {}, '{"success":false}', 'upstream_contract', 1],
  ['a failure with code 401', 200, {}, '{"success":false,"code":401}', 'upstream_refused', 1],
  ['a failure with code 400', 200, {}, '{"success":false,"code":400}', 'upstream_contract', 1],
  ['a failure with code 503', 200, {}, '{"success":false,"code":503}', 'upstream_unavailable', 3],
  ['a failure with code 429', 200, {}, '{"success":false,"code":429}', 'upstream_unavailable', 1],
  ['a 404 for the first page', 404, {}, '', 'upstream_contract', 1],
  ['a 400', 400, {}, anEnvelope([]), 'upstream_contract', 1],
  ['a 206', 206, {}, anEnvelope([]), 'upstream_contract', 1],
  ['a 204', 204, {}, '', 'upstream_contract', 1],
  ['a 501', 501, {}, '', 'upstream_unavailable', 1],
  ['a 500', 500, {}, '', 'upstream_unavailable', 3],
  ['a 502', 502, {}, '<html>', 'upstream_unavailable', 3],
  ['a 504', 504, {}, '', 'upstream_unavailable', 3],
  ['a 403', 403, {}, '', 'upstream_refused', 1],
]
test.each(FAULTY)(
  '%s is never zero rows',
  async (_, status, headers, body, fault, requestsExpected) => {
    const { baseUrl, requests } = await listen((_, response) =>
      response.writeHead(status, headers).end(body, 'latin1'),
    )
    const { upstream, ledger } = await openClient({ baseUrl })
    const error = await rejection(upstream.fetchPage(1))
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ fault })
    expect(requests).toHaveLength(requestsExpected)
    expect(ledger.budget({ perMinute: null, perMonth: null }).month.used).toBe(requestsExpected)
  },
)

test('a page larger than the limit is given up while it comes', async () => {
  const { baseUrl } = await listen((_, response) => response.end(anEnvelope(['x'.repeat(5000)])))
  const { upstream } = await openClient({ baseUrl, sizeLimits: { pageBytes: 1000 } })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_contract' })
})

test('a redirect is not followed: the other host sees nothing, nor does the same one again', async () => {
  const other = await listen((_, response) => response.end(anEnvelope([])))
  for (const location of [`${other.baseUrl}/api/v1/posts`, '/elsewhere', 'file:///x']) {
    for (const status of [301, 302, 303, 307, 308]) {
      const { baseUrl, requests } = await listen((_, response) =>
        response.writeHead(status, { location }).end(),
      )
      const { upstream } = await openClient({ baseUrl })
      const error = await rejection(upstream.fetchPage(1))
      expect(error).toMatchObject({
        fault: 'upstream_contract',
        message: expect.stringContaining('redirects'),
      })
      expect(requests).toHaveLength(1)
    }
  }
  expect(other.requests).toEqual([])
})

test('a page that nobody can have is an error of ours, before anything is sent', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.end(anEnvelope([])))
  const { upstream } = await openClient({ baseUrl })
  for (const page of [-1, 1.5, Number.NaN, 1e9]) {
    expect(await rejection(upstream.fetchPage(page))).toMatchObject({
      fault: 'internal',
    })
  }
  expect(requests).toEqual([])
})

const SUNDAY = 'Sun, 15 Nov 2026 05:00:00 GMT'
const LATER = 'Wed, 18 Nov 2026 05:00:00 GMT'
const HELD: Validators = { etag: '"a"', lastModified: SUNDAY }
const NONE: Validators = { etag: null, lastModified: null }
const CSV = 'id,symbol\r\n1,ACME\r\n'

async function text({ body }: DumpDownload) {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function openVersioned(version = { etag: '"a"', page: anEnvelope([aRating(1)]), dump: CSV }) {
  const asked: (string | undefined)[] = []
  const service = await listen((request, response) => {
    const condition = request.headers['if-none-match']
    asked.push(condition)
    const headers = { etag: version.etag, date: LATER, 'last-modified': SUNDAY }
    const isHeld = condition === version.etag
    const body = request.url?.includes('dumps') ? version.dump : version.page
    response.writeHead(isHeld ? 304 : 200, headers).end(isHeld ? '' : body)
  })
  return { ...service, asked, version }
}

test('a page that did not change is null, costs a request, and is asked for by what is held', async () => {
  const { baseUrl, asked, version } = await openVersioned()
  const { upstream } = await openClient({ baseUrl })
  const page = await upstream.fetchPage(1)
  expect(page.validators).toEqual(HELD)
  expect(await upstream.fetchPageIfChanged(1, page.validators)).toBe(null)
  expect(upstream.budget().spent.follow).toBe(2)
  version.etag = '"b"'
  const changed = await upstream.fetchPageIfChanged(1, page.validators)
  expect(changed).toMatchObject({ rows: [{ ok: true }], validators: { etag: '"b"' } })
  expect(asked).toEqual([undefined, '"a"', '"a"'])
})

test('a dump that did not change is null, one that did comes whole', async () => {
  const { baseUrl, version } = await openVersioned()
  const { upstream } = await openClient({ baseUrl })
  const { validators } = await upstream.fetchDump('posts')
  expect(await upstream.fetchDumpIfChanged('posts', validators)).toBe(null)
  version.etag = '"b"'
  const changed = await upstream.fetchDumpIfChanged('posts', validators)
  expect(changed && (await text(changed))).toBe(CSV)
  expect(upstream.budget().spent).toEqual({ dump: 3, follow: 0, people: 0 })
})

test('"nothing changed" that nobody asked for is never zero rows', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.writeHead(304).end())
  const { upstream } = await openClient({ baseUrl })
  for (const asked of [
    upstream.fetchPage(1),
    upstream.fetchPageIfChanged(1, NONE),
    upstream.fetchDump('posts'),
  ]) {
    expect(await rejection(asked)).toMatchObject({ fault: 'upstream_contract' })
  }
  expect(requests).toHaveLength(3)
})

test('"nothing changed" about another version is not believed: the whole is asked for', async () => {
  const { baseUrl, requests } = await listen((request, response) => {
    if (request.headers['if-none-match']) response.writeHead(304, { etag: '"z"' }).end()
    else response.end(anEnvelope([aRating(5)]))
  })
  const { upstream } = await openClient({ baseUrl })
  expect(await upstream.fetchPageIfChanged(1, HELD)).toMatchObject({ rows: [{ ok: true }] })
  expect(requests).toHaveLength(2)
  expect(upstream.budget().spent.follow).toBe(2)
})

const VALIDATORS: [string, Record<string, string>, Validators][] = [
  ['a weak tag', { etag: 'W/"a"' }, { etag: 'W/"a"', lastModified: null }],
  ['a tag that repeats the key', { etag: `"${encodeURIComponent(CANARY)}"` }, NONE],
  ['a tag without quotes', { etag: 'abc' }, NONE],
  ['a tag without end', { etag: `"${'x'.repeat(400)}"` }, NONE],
  [
    'a date of long before',
    { 'last-modified': SUNDAY, date: LATER },
    { ...NONE, lastModified: SUNDAY },
  ],
  ['a date of just now', { 'last-modified': SUNDAY, date: SUNDAY }, NONE],
  ['a date that is none', { 'last-modified': '2026-11-15', date: LATER }, NONE],
]
test.each(VALIDATORS)('%s: what an answer is told apart by', async (_, headers, expected) => {
  const { baseUrl } = await listen((request, response) =>
    response.writeHead(200, headers).end(request.url?.includes('dumps') ? CSV : anEnvelope([])),
  )
  const { upstream } = await openClient({ baseUrl })
  expect((await upstream.fetchPage(1)).validators).toEqual(expected)
  expect((await upstream.fetchDump('posts')).validators).toEqual(expected)
})

const NAME = 'ZÜRICH'
const PAGE = anEnvelope([aRating(1, { symbol: NAME })])

async function open(headers: Record<string, string>, body: string | Buffer) {
  const { baseUrl, requests } = await listen((_, response) =>
    response.writeHead(200, headers).end(body),
  )
  return { ...(await openClient({ baseUrl })), requests }
}

test.each([
  ['application/json'],
  ['application/json; charset=utf-8'],
  ['application/vnd.ratings+json'],
  ['application/problem+json'],
  ['text/plain'],
  ['text/html'],
  ['application/octet-stream'],
  ['nonsense'],
  [''],
])('JSON labeled %j is a page, because the content decides', async (type) => {
  const { upstream } = await open(type === '' ? {} : { 'content-type': type }, PAGE)
  const { rows } = await upstream.fetchPage(1)
  expect(rows[0]).toMatchObject({ ok: true, rating: { symbol: NAME } })
})

const utf16 = Buffer.from(`\ufeff${PAGE}`, 'utf16le')
const NO_UTF8: [string, Buffer][] = [
  ['Latin-1', Buffer.from(PAGE, 'latin1')],
  ['UTF-16', utf16],
  ['UTF-16 the other way round', Buffer.from(utf16).swap16()],
  ['UTF-16 without its mark', Buffer.from(PAGE, 'utf16le')],
  [
    'UTF-8 that is cut in a letter',
    Buffer.from(PAGE.slice(0, PAGE.indexOf('Ü') + 1)).subarray(0, -1),
  ],
  ['half a pair of UTF-16 written as UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['a letter longer than it has to be', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
]
test.each(NO_UTF8)(
  '%s is refused, never guessed at, whatever charset is named',
  async (_, bytes) => {
    for (const charset of ['', '; charset=iso-8859-1', '; charset=utf-16']) {
      const { upstream, requests } = await open(
        { 'content-type': `application/json${charset}` },
        bytes,
      )
      expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_contract' })
      expect(requests).toHaveLength(1)
    }
  },
)

test('a web page is refused before anything in it is parsed, whatever type it says', async () => {
  for (const type of ['text/html', 'application/json', 'text/plain']) {
    for (const body of [
      '<!doctype html><title>Log in</title>',
      '\ufeff \n<html>',
      '<?xml version="1.0"?>',
    ]) {
      const { upstream } = await open({ 'content-type': type }, body)
      expect(await rejection(upstream.fetchPage(1))).toMatchObject({
        fault: 'upstream_contract',
        message: 'The service answered with a web page instead of JSON.',
      })
    }
  }
})

test('keeps the digits of an integer that no number holds, and says that it is too large', async () => {
  const [user, note] = ['9007199254740993', '12345678901234567890']
  const page = anEnvelope([aRating(1, { user_id: 7, note: `"${note}` }), aRating(2, { extra: 8 })])
  const body = page
    .replace('"user_id":7', `"user_id":${user}`)
    .replace('"extra":8', `"extra":-${note}`)
  const { upstream } = await open({}, body)
  const { rows } = await upstream.fetchPage(1)
  const { reason, raw } = rows[0]?.ok === false ? rows[0] : { reason: '', raw: '{}' }
  expect(reason).toBe('user_id: too large')
  expect(JSON.parse(raw)).toMatchObject({ id: 1, user_id: user, note: `"${note}` })
  expect(rows[1]).toMatchObject({ ok: true, extra: { extra: `-${note}` } })
})

const OK = anEnvelope([])

test('a request that fails twice and then works is sent three times, with growing jittered waits', async () => {
  const { baseUrl, requests } = await listen((_, response, count) =>
    response.writeHead(count < 3 ? 503 : 200).end(OK),
  )
  const { upstream, sleeps, ledger } = await openClient({ baseUrl })
  await upstream.fetchPage(1)
  expect(requests).toHaveLength(3)
  expect(sleeps).toEqual([250, 500])
  expect(ledger.budget({ perMinute: null, perMonth: null }).month.used).toBe(3)
})

test('no attempt goes past a limit, retries included', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.writeHead(503).end())
  const { upstream } = await openClient({ baseUrl, limits: { perMinute: null, perMonth: 2 } })
  expect(await rejection(upstream.fetchDump('posts'))).toMatchObject({
    fault: 'budget_spent',
    retryAfterSeconds: expect.any(Number),
  })
  expect(requests).toHaveLength(2)
  expect(upstream.budget().month).toEqual({ limit: 2, used: 2 })
})

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

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

test('silence before the headers ends at its limit and is tried again', async () => {
  const { baseUrl, requests } = await listenRaw((socket, count) => {
    if (count > 1) socket.end(`${HEAD}Content-Length: ${OK.length}\r\n\r\n${OK}`)
  })
  const { upstream, sleeps } = await openClient({ baseUrl, timeLimits: { headersMs: 800 } })
  await upstream.fetchPage(1)
  expect(requests).toHaveLength(2)
  expect(sleeps).toHaveLength(1)
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
  const timeLimits = { headersMs: 500, callMs: 900 }
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
    timeLimits: { headersMs: 400, callMs: 600 },
    transport: () =>
      new Promise((resolve) => {
        late = () => resolve(new Response(body))
      }),
  })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_timeout' })
  late()
  await expect.poll(() => isCancelled).toBe(true)
})

test('whoever gives up is let go at once, wherever the call stands, with their own reason', async () => {
  const reason = new Error('enough')
  const silent = await listenRaw(() => {})
  const halting = await listenRaw((socket) => socket.write(`${HEAD}Content-Length: 9\r\n\r\n{`))
  const failing = await listen((_, response) => response.writeHead(503).end())
  const untilAborted = (_: number, signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject('asleep')))
  for (const { baseUrl, requests } of [silent, halting, failing]) {
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
