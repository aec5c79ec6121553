import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { failure } from '#lib/contract/answers/envelope.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { type Rating, rating } from '#lib/contract/rating.ts'
import { ACTION_LABELS, RATING_FIELDS, RATING_LABELS } from '#lib/contract/rating-fields.ts'
import { draws } from '#testing/draws.ts'
import { makeFolder, NOON, openService, type TestService } from '#testing/service/open-service.ts'
import { SourceMismatch } from './source.ts'

const send = (service: TestService, path: string, init?: RequestInit) =>
  service.handle(new Request(`http://service${path}`, init))

async function expectFailure(response: Response, status: number): Promise<string> {
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const body = await response.json()
  expect(failure.parse(body).code).toBe(status)
  expect(body).toMatchObject({ success: false, code: status, data: [] })
  expect(body.message).toBe(body.error.message)
  return body.message
}

test('every address answers with and without the base path', async () => {
  const service = await openService()
  for (const path of ['/api/v1/posts', '/api/v1/posts/dumps', '/api/v1/lookups/dumps']) {
    expect((await service.get(path)).status).toBe(200)
    expect((await service.get(`/service${path}`)).status).toBe(200)
  }
})

test('an address that is none is a 404 in the envelope', async () => {
  const service = await openService()
  for (const path of [
    '/',
    '/api/v1',
    '/api/v1/posts/',
    '/api/v2/posts',
    '/service/service/api/v1/posts',
  ]) {
    await expectFailure(await service.get(path), 404)
  }
})

test('every other method is a 405 that names GET and HEAD', async () => {
  const service = await openService()
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const response = await service.get('/api/v1/posts', { method })
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    await expectFailure(response, 405)
  }
})

const small = { kind: 'demo', ratings: 5, seed: 1, tailSeconds: 0 } as const

describe('parameters', () => {
  const bad = [
    ...['page=0', 'page=-1', 'page=1.5', 'page=1e3', 'page=0x10', 'page=', 'page=NaN'],
    ...['page=%D9%A1', 'page=01', 'page=1&page=2', 'page=1&page=1', 'page[]=1', 'PAGE=1'],
    ...['per_page=5', '__proto__=1', 'constructor=1', 'page=99999999999999999999999'],
  ]

  test('that no page has, or unknown ones, or one given twice, are a 400', async () => {
    const service = await openService({ source: small })
    for (const query of bad) await expectFailure(await service.get(`/api/v1/posts?${query}`), 400)
  })

  test('whatever is asked, the answer is the envelope, never a 500', async () => {
    const service = await openService({ source: small })
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.string({ maxLength: 20 }),
        async (name, value) => {
          const query = new URLSearchParams([[name, value]])
          const response = await service.get(`/api/v1/posts?${query}`)
          expect([200, 400]).toContain(response.status)
          expect((await response.json()).code).toBe(response.status)
        },
      ),
      { numRuns: draws(50) },
    )
  })
})

describe('the key', () => {
  test('is taken from the query and from a bearer token, on every address', async () => {
    const service = await openService()
    const key = await service.keys.create('somebody')
    for (const path of ['/api/v1/posts', '/api/v1/posts/dumps', '/api/v1/lookups/dumps']) {
      expect((await send(service, `${path}?api_key=${key}`)).status).toBe(200)
      const headers = { authorization: `bearer ${key}` }
      expect((await send(service, path, { headers })).status).toBe(200)
    }
  })

  test('is refused with a 401 that says whether it is missing, unknown or revoked', async () => {
    const service = await openService()
    const key = await service.keys.create('somebody')
    await service.keys.revoke('somebody')
    const toMessage = async (path: string, init?: RequestInit) => {
      const response = await send(service, path, init)
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      return expectFailure(response, 401)
    }
    expect(await toMessage('/api/v1/posts')).toContain('missing')
    expect(await toMessage('/api/v1/posts?api_key=')).toContain('missing')
    const basic = { headers: { authorization: 'Basic abc' } }
    expect(await toMessage('/api/v1/posts', basic)).toContain('missing')
    expect(await toMessage('/api/v1/posts?api_key=nope')).toContain('unknown')
    expect(await toMessage(`/api/v1/posts?api_key=${key}x`)).toContain('unknown')
    expect(await toMessage(`/api/v1/posts?api_key=${key.slice(0, -1)}`)).toContain('unknown')
    expect(await toMessage(`/api/v1/posts?api_key=${key}`)).toContain('revoked')
  })

  test('given twice is a 400, in whichever places', async () => {
    const service = await openService()
    const key = await service.keys.create('somebody')
    await expectFailure(await send(service, `/api/v1/posts?api_key=${key}&api_key=${key}`), 400)
    await expectFailure(await service.get(`/api/v1/posts?api_key=${key}`), 400)
  })

  test('stands in no answer and in no log line', async () => {
    const service = await openService()
    const key = 'bw_CANARYCANARYCANARYCANARYCANARY'
    for (const path of ['/api/v1/posts', '/nowhere', '/api/v1/posts/dumps']) {
      const response = await send(service, `${path}?api_key=${key}&page=x`)
      expect((await response.text()) + JSON.stringify([...response.headers])).not.toContain(
        'CANARY',
      )
    }
    expect(service.lines.join('\n')).not.toContain('CANARY')
  })
})

test('what nobody foresaw is a 500 without its text, and the log has it', async () => {
  const service = await openService()
  await service.close()
  const message = await expectFailure(await service.get('/api/v1/posts'), 500)
  expect(message).toBe('Something went wrong on our side.')
  expect(service.lines.join('\n')).toContain('a request failed')
})

const pageAnswer = z.object({
  success: z.literal(true),
  code: z.literal(200),
  data: z.array(z.strictObject(rating.shape)),
})

async function readPage(service: TestService, page: number): Promise<Rating[]> {
  const response = await service.get(`/api/v1/posts?page=${page}`)
  expect(response.status).toBe(200)
  return pageAnswer.parse(await response.json()).data
}

async function readAll(service: TestService): Promise<Rating[]> {
  const all: Rating[] = []
  for (let page = 1; ; page += 1) {
    const rows = await readPage(service, page)
    if (rows.length === 0) return all
    expect(rows.length).toBeLessThanOrEqual(100)
    all.push(...rows)
  }
}

const demo = (ratings: number, seed = 1, tailSeconds = 0) =>
  ({ kind: 'demo', ratings, seed, tailSeconds }) as const

test('walking the pages gives every rating once, newest first by id', async () => {
  const service = await openService({ source: demo(1234) })
  const ids = (await readAll(service)).map(({ id }) => id)
  expect(ids).toEqual(Array.from({ length: 1234 }, (_, index) => 1234 - index))
})

test('a rating has the 15 fields in the order of the specification and obeys its rules', async () => {
  const service = await openService()
  const text = await (await service.get('/api/v1/posts')).text()
  const rows: Rating[] = JSON.parse(text).data
  expect(rows).toHaveLength(100)
  for (const row of rows) {
    expect(Object.keys(row)).toEqual([...RATING_FIELDS])
    expect(row.rating_label).toBe(RATING_LABELS[row.rating])
    expect(row.action_label).toBe(ACTION_LABELS[row.action])
    expect(row.prediction).toMatch(/^-?\d+\.\d\d$/)
    expect(row.created_at_date).toBe(toDateText(row.created_at))
    expect(row.expired_at_date).toBe(toDateText(row.expired_at ?? -1))
  }
})

test('page 1 is the default, and a page past the end is an empty success', async () => {
  const service = await openService({ source: demo(150) })
  expect(await (await service.get('/api/v1/posts')).json()).toEqual(
    await (await service.get('/api/v1/posts?page=1')).json(),
  )
  expect(await readPage(service, 2)).toHaveLength(50)
  for (const page of [3, 4, 9_999_999]) expect(await readPage(service, page)).toEqual([])
})

test('the same seed and end give the same community, another seed another', async () => {
  const [one, same, other] = await Promise.all([
    openService({ source: demo(500, 7) }),
    openService({ source: demo(500, 7) }),
    openService({ source: demo(500, 8) }),
  ])
  const rows = await readAll(one)
  expect(await readAll(same)).toEqual(rows)
  expect(await readAll(other)).not.toEqual(rows)
})

test('votes only grow, an early end shows when it comes, and nothing else changes', async () => {
  const service = await openService({ source: demo(4000) })
  const before = await readAll(service)
  service.clock.at += 20 * 86_400
  const later = await readAll(service)
  let grown = 0
  let ended = 0
  before.forEach((row, index) => {
    const now = later[index]
    if (!now) throw new Error('a rating is gone')
    for (const tally of ['tally_agree', 'tally_disagree', 'tally_comment'] as const) {
      expect(now[tally]).toBeGreaterThanOrEqual(row[tally])
      grown += now[tally] - row[tally]
    }
    if (now.expired_at !== row.expired_at) {
      ended += 1
      expect(now.expired_at).toBeGreaterThan(NOON)
      expect(now.expired_at).toBeLessThanOrEqual(service.clock.at)
    }
    expect(now).toEqual({
      ...row,
      tally_agree: now.tally_agree,
      tally_disagree: now.tally_disagree,
      tally_comment: now.tally_comment,
      expired_at: now.expired_at,
      expired_at_date: now.expired_at_date,
    })
  })
  expect(grown).toBeGreaterThan(0)
  expect(ended).toBeGreaterThan(0)
})

test('new ratings arrive while time passes, coherent with the old ones, and survive a restart', async () => {
  const source = demo(2000, 1, 60)
  const service = await openService({ source })
  expect(await readAll(service)).toHaveLength(2000)
  service.clock.at += 6 * 3600
  const rows = await readAll(service)
  expect(rows.length).toBeGreaterThan(2250)
  expect(rows.length).toBeLessThan(2500)
  expect(rows[0]?.created_at).toBeLessThanOrEqual(service.clock.at)
  const said = new Map<string, number>()
  for (const row of rows.toReversed()) {
    const pair = `${row.user_id} ${row.symbol}`
    const before = said.get(pair) ?? 0
    expect(row.action).toBe(
      before === 0 ? 1 : row.rating > before ? 2 : row.rating < before ? 3 : 4,
    )
    said.set(pair, row.rating)
  }
  await service.close()
  const again = await openService({ source, dir: service.dir, at: service.clock.at })
  expect(await readAll(again)).toEqual(rows)
})

const source = { kind: 'demo', ratings: 300, seed: 1, tailSeconds: 60 } as const

const readFirst = async (service: TestService) =>
  (await (await service.get('/api/v1/posts')).json()).data

test('a folder keeps its community: another size, seed or kind is refused with the way out', async () => {
  const { dir, close } = await openService({ source })
  await close()
  for (const other of [
    { ...source, ratings: 301 },
    { ...source, seed: 2 },
    { kind: 'csv' as const, posts: 'posts.csv' },
  ]) {
    const opening = openService({ dir, source: other })
    await expect(opening).rejects.toThrow(SourceMismatch)
    await expect(opening).rejects.toThrow(
      /holds a demo community of 300 ratings .* seed 1 .* DATA_DIR/,
    )
  }
  const tailless = await openService({ dir, source: { ...source, tailSeconds: 0 } })
  expect(await readFirst(tailless)).toHaveLength(100)
})

test('a folder that was cut off in the making is made again, to the same community', async () => {
  const service = await openService({ source })
  const rows = await readFirst(service)
  await service.close()
  await rm(join(service.dir, 'source.json'))
  await writeFile(join(service.dir, 'posts.duckdb.wal'), 'half a page')
  expect(await readFirst(await openService({ source, dir: service.dir }))).toEqual(rows)
})

test('what the service keeps is for its owner alone', async () => {
  const dir = join(await makeFolder(), 'service')
  const service = await openService({ source, dir })
  await service.get('/api/v1/posts/dumps', { method: 'HEAD' })
  const toMode = async (name: string) => (await stat(join(dir, name))).mode & 0o777
  expect(await toMode('.')).toBe(0o700)
  expect(await toMode('source.json')).toBe(0o600)
  expect(await toMode('editions')).toBe(0o700)
  expect(await toMode('editions/posts-2026-11-15.csv')).toBe(0o600)
})
