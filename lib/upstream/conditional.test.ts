import { expect, test } from 'vitest'
import {
  anEnvelope,
  aRating,
  CANARY,
  listen,
  openClient,
  rejection,
} from './scripted-service.test-support.ts'
import type { DumpDownload, Validators } from './upstream.ts'

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

/** A service that holds one version of everything, and looks at conditions as the standard says. */
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

test('a dump without a date of its answer is not told apart by its own', async () => {
  const { upstream } = await openClient({
    baseUrl: new URL('http://in.process'),
    transport: async () => new Response(CSV, { headers: { 'last-modified': SUNDAY } }),
  })
  expect((await upstream.fetchDump('posts')).validators).toEqual(NONE)
})

test('the default page is asked for without a number, and is page 1 to whoever reads it', async () => {
  const { baseUrl, requests } = await listen((_, response) =>
    response.end(anEnvelope([aRating(1)])),
  )
  const { upstream, logged } = await openClient({ baseUrl, key: 'abc' })
  expect(await upstream.fetchPage('default')).toMatchObject({ page: 1, isNotFound: false })
  await upstream.fetchPageIfChanged('default', HELD)
  expect(requests).toEqual(Array(2).fill('/service/api/v1/posts?api_key=abc'))
  expect(logged[0]).toMatchObject([expect.any(String), { page: null, purpose: 'follow' }])
})
