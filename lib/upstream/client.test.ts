import { expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import {
  anEnvelope,
  aRating,
  CANARY,
  listen,
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

test('it speaks to any transport, with no socket in between', async () => {
  const asked: Request[] = []
  const { upstream } = await openClient({
    baseUrl: new URL('http://in.process/service/'),
    kind: 'embedded',
    transport: async (request) => {
      asked.push(request)
      return Response.json({ success: true, code: 200, data: [aRating(1)] })
    },
  })
  expect((await upstream.fetchPage(1)).rows).toHaveLength(1)
  expect(asked[0]?.headers.get('accept-encoding')).toBe(null)
  expect(upstream.service).toEqual({ kind: 'embedded', address: '/service', invented: false })
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

test('a mark of byte order before the JSON does no harm', async () => {
  const { baseUrl } = await listen((_, response) => response.end(`\ufeff${anEnvelope([])}`))
  const { upstream } = await openClient({ baseUrl })
  expect((await upstream.fetchPage(1)).rows).toEqual([])
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

test('without anything held there is no condition, and never nothing', async () => {
  const { baseUrl, asked } = await openVersioned()
  const { upstream } = await openClient({ baseUrl })
  expect(await upstream.fetchPageIfChanged(1, NONE)).not.toBe(null)
  expect(await upstream.fetchDumpIfChanged('posts', NONE)).not.toBe(null)
  const broken = { etag: 'no quotes', lastModified: 'yesterday' }
  expect(await upstream.fetchPageIfChanged(1, broken)).not.toBe(null)
  expect(asked).toEqual([undefined, undefined, undefined])
})

test('by date alone it is asked since that date', async () => {
  const since: unknown[] = []
  const { baseUrl } = await listen((request, response) => {
    since.push(request.headers['if-modified-since'])
    response.writeHead(304).end()
  })
  const { upstream } = await openClient({ baseUrl })
  const held = { etag: null, lastModified: SUNDAY }
  expect(await upstream.fetchDumpIfChanged('posts', held)).toBe(null)
  expect(since).toEqual([SUNDAY])
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

test('a page is asked for by its number, 0 as well', async () => {
  const { baseUrl, requests } = await listen((_, response) =>
    response.end(anEnvelope([aRating(1)])),
  )
  const { upstream, logged } = await openClient({ baseUrl, key: 'abc' })
  expect(await upstream.fetchPage(0)).toMatchObject({ page: 0, isNotFound: false })
  await upstream.fetchPageIfChanged(0, HELD)
  expect(requests).toEqual(Array(2).fill('/service/api/v1/posts?api_key=abc&page=0'))
  expect(logged[0]).toMatchObject([expect.any(String), { page: 0, purpose: 'follow' }])
})
