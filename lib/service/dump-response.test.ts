import { createHash } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { parseCsvRating, type Rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { editionAt } from '#lib/contract/weekly-clock.ts'
import { NOON, openService, type TestService } from '#testing/service/open-service.ts'

const POSTS = '/api/v1/posts/dumps'
const SUNDAY = editionAt(NOON)

const toSha256 = (bytes: ArrayBuffer | Buffer) =>
  createHash('sha256')
    .update(Buffer.from(bytes as ArrayBuffer))
    .digest('hex')

function parseDump(text: string): Rating[] {
  const { data, errors } = Papa.parse<string[]>(text, { skipEmptyLines: true })
  expect(errors).toEqual([])
  const [header = [], ...records] = data
  expect(header).toEqual([...RATING_FIELDS])
  return records.map((cells) => {
    const parsed = parseCsvRating(header, cells)
    if (!parsed.ok) throw new Error(parsed.reason)
    return parsed.rating
  })
}

test('the posts dump holds the ratings before its Sunday, as they stood then', async () => {
  const service = await openService()
  const dump = parseDump(await (await service.get(POSTS)).text())
  expect(dump.length).toBeGreaterThan(900)
  expect(dump.every(({ created_at }) => created_at < SUNDAY)).toBe(true)

  service.clock.at = SUNDAY
  const pages: Rating[] = []
  for (let page = 1; page <= 10; page += 1) {
    pages.push(...(await (await service.get(`/api/v1/posts?page=${page}`)).json()).data)
  }
  const then = pages.filter(({ created_at }) => created_at < SUNDAY).toReversed()
  expect(dump).toEqual(then)
})

test('a dump is named after its Sunday, tagged by its content, and dated by its edition', async () => {
  const service = await openService()
  for (const kind of ['posts', 'lookups']) {
    const response = await service.get(`/api/v1/${kind}/dumps`)
    expect(response.status).toBe(200)
    const body = await response.arrayBuffer()
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${kind}-2026-11-15.csv"`,
      'content-length': String(body.byteLength),
      etag: `"${toSha256(body)}"`,
      'last-modified': 'Sun, 15 Nov 2026 05:00:00 GMT',
      'accept-ranges': 'bytes',
      'cache-control': 'no-transform, private',
      vary: 'Accept-Encoding',
    })
  }
})

test('the look-ups dump has two rows a rating, in order, and is the same each time it is made', async () => {
  const read = async (service: TestService) =>
    await (await service.get('/api/v1/lookups/dumps')).text()
  const [one, other] = [await openService(), await openService()]
  const text = await read(one)
  expect(await read(other)).toBe(text)
  const [header, ...rows] = Papa.parse<string[]>(text, { skipEmptyLines: true }).data
  expect(header).toEqual(['id', 'symbol', 'source', 'room_id', 'created_at', 'created_at_date'])
  expect(rows.length).toBeGreaterThan(1900)
  let before = 0
  rows.forEach(([id, symbol, source, room, at, date], index) => {
    expect(Number(id)).toBe(index + 1)
    expect(symbol).toMatch(/^[A-Z]+$/)
    expect(['slack', 'discord']).toContain(source)
    expect(Number(room)).toBeGreaterThan(0)
    expect(Number(at)).toBeGreaterThanOrEqual(before)
    expect(Number(at)).toBeLessThan(SUNDAY)
    expect(date).toBe(new Date(Number(at) * 1000).toISOString().slice(0, 19).replace('T', ' '))
    before = Number(at)
  })
})

describe('ranges', () => {
  const cases: [string, number, (size: number) => [number, number]][] = [
    ['bytes=0-0', 206, () => [0, 0]],
    ['bytes=5-9', 206, () => [5, 9]],
    ['bytes=5-', 206, (size) => [5, size - 1]],
    ['bytes=-5', 206, (size) => [size - 5, size - 1]],
    ['bytes=-99999999', 206, (size) => [0, size - 1]],
    ['bytes=10-99999999', 206, (size) => [10, size - 1]],
    ['BYTES = 1-2', 206, () => [1, 2]],
    ['bytes=99999999-', 416, () => [0, 0]],
    ['bytes=99999999-99999999999999999999999999', 416, () => [0, 0]],
    ['bytes=-0', 416, () => [0, 0]],
    ['bytes=0-1,3-4', 200, () => [0, 0]],
    ['bytes=9-5', 200, () => [0, 0]],
    ['bytes=a-b', 200, () => [0, 0]],
    ['bytes=-', 200, () => [0, 0]],
    ['bytes=--5', 200, () => [0, 0]],
    ['lines=0-5', 200, () => [0, 0]],
    ['0-5', 200, () => [0, 0]],
  ]

  test('give the bytes asked for, nothing behind the end, and the whole where they cannot be read', async () => {
    const service = await openService()
    const whole = Buffer.from(await (await service.get(POSTS)).arrayBuffer())
    for (const [range, status, toEnds] of cases) {
      const response = await service.get(POSTS, { headers: { range } })
      const body = Buffer.from(await response.arrayBuffer())
      expect([range, response.status]).toEqual([range, status])
      if (status === 200) expect(body.equals(whole)).toBe(true)
      if (status === 416)
        expect(response.headers.get('content-range')).toBe(`bytes */${whole.length}`)
      if (status !== 206) continue
      const [first, last] = toEnds(whole.length)
      expect(response.headers.get('content-range')).toBe(`bytes ${first}-${last}/${whole.length}`)
      expect(response.headers.get('content-length')).toBe(String(last - first + 1))
      expect(body.equals(whole.subarray(first, last + 1))).toBe(true)
    }
  })

  test('If-Range gives the part of the same file and the whole of another', async () => {
    const service = await openService()
    const { headers } = await service.get(POSTS, { method: 'HEAD' })
    const ask = async (condition: string) =>
      (await service.get(POSTS, { headers: { range: 'bytes=1-2', 'if-range': condition } })).status
    expect(await ask(headers.get('etag') ?? '')).toBe(206)
    expect(await ask(headers.get('last-modified') ?? '')).toBe(206)
    expect(await ask('"another"')).toBe(200)
    expect(await ask(`W/${headers.get('etag')}`)).toBe(200)
    expect(await ask('Sun, 08 Nov 2026 05:00:00 GMT')).toBe(200)
  })
})

describe('what the reader has already', () => {
  test('is a 304 without a body, by tag or by date', async () => {
    const service = await openService()
    const { headers } = await service.get(POSTS, { method: 'HEAD' })
    const etag = headers.get('etag') ?? ''
    const ask = async (init: Record<string, string>) => {
      const response = await service.get(POSTS, { headers: init })
      await response.body?.cancel()
      return response.status
    }
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      expect(await ask({ 'if-none-match': tag })).toBe(304)
    }
    expect(await ask({ 'if-none-match': '"x"' })).toBe(200)
    expect(await ask({ 'if-modified-since': headers.get('last-modified') ?? '' })).toBe(304)
    expect(await ask({ 'if-modified-since': 'Sun, 08 Nov 2026 05:00:00 GMT' })).toBe(200)
    expect(await ask({ 'if-modified-since': 'nonsense' })).toBe(200)
    const both = { 'if-none-match': '"x"', 'if-modified-since': headers.get('last-modified') ?? '' }
    expect(await ask(both)).toBe(200)
  })
})

describe('compression', () => {
  const gzip = { headers: { 'accept-encoding': 'gzip, deflate, br' } }

  test('is another representation with its own tag, no ranges and no length', async () => {
    const service = await openService()
    const plain = await service.get(POSTS)
    const packed = await service.get(POSTS, gzip)
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('accept-ranges')).toBe('none')
    expect(packed.headers.has('content-length')).toBe(false)
    expect(packed.headers.get('vary')).toBe('Accept-Encoding')
    expect(packed.headers.get('etag')).toBe(plain.headers.get('etag')?.replace(/"$/, '-gzip"'))
    const bytes = gunzipSync(Buffer.from(await packed.arrayBuffer()))
    expect(bytes.equals(Buffer.from(await plain.arrayBuffer()))).toBe(true)
  })

  test('is given to whom it is acceptable and to nobody else', async () => {
    const service = await openService()
    const packs = async (accept: string) => {
      const init = { method: 'HEAD', headers: { 'accept-encoding': accept } }
      return (await service.get(POSTS, init)).headers.has('content-encoding')
    }
    for (const accept of ['gzip', '*', 'GZIP; q=0.5']) expect(await packs(accept)).toBe(true)
    for (const accept of ['br', 'gzip;q=0', 'identity', '*;q=0', 'gzip;q=0, *']) {
      expect(await packs(accept)).toBe(false)
    }
  })
})

describe('a reader that goes away', () => {
  const openDumps = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).includes('posts-2026')
      } catch {
        return false
      }
    }).length

  test
    .runIf(process.platform === 'linux')
    .each<Record<string, string>>([{}, { 'accept-encoding': 'gzip' }])(
    'leaves no file open (%o)',
    async (headers) => {
      const source = { kind: 'demo', ratings: 30_000, seed: 1, tailSeconds: 0 } as const
      const service = await openService({ source })
      const reader = (await service.get(POSTS, { headers })).body?.getReader()
      await reader?.read()
      expect(openDumps()).toBe(1)
      await reader?.cancel()
      for (let turn = 0; turn < 100 && openDumps() > 0; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect(openDumps()).toBe(0)

      await (await service.get(POSTS, { headers })).arrayBuffer()
      await (await service.get(POSTS, { headers })).body?.cancel()
      expect(openDumps()).toBe(0)
    },
  )
})
