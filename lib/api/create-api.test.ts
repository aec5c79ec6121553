import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { watchingAnswer } from '#lib/contract/answers/changes.ts'
import { failure } from '#lib/contract/answers/envelope.ts'
import { compareAnswer, opinionAnswer, seriesAnswer } from '#lib/contract/answers/opinion.ts'
import { facetsAnswer, ratingAnswer, ratingsPage } from '#lib/contract/answers/ratings.ts'
import { dumpsAnswer, healthAnswer, statusAnswer } from '#lib/contract/answers/status.ts'
import {
  aggregateAnswer,
  moversAnswer,
  movesAnswer,
  pricesAnswer,
  symbolMapAnswer,
  symbolsPage,
} from '#lib/contract/answers/symbols.ts'
import { userAnswer, userRatingsAnswer, usersPage } from '#lib/contract/answers/users.ts'
import { OPERATIONS } from '#lib/contract/operations/operations.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { draws } from '#testing/draws.ts'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
  await test.fill()
})
afterAll(() => test.close())

const json = async (path: string, init?: RequestInit) => {
  const response = await test.ask(path, init)
  return { response, body: await response.json() }
}

const ANSWERS = {
  '/api/ratings': ratingsPage,
  '/api/ratings/1': ratingAnswer,
  '/api/facets': facetsAnswer,
  '/api/symbols': symbolsPage,
  '/api/symbols/AAPL': aggregateAnswer,
  '/api/symbols/AAPL/opinion': opinionAnswer,
  '/api/symbols/AAPL/series': seriesAnswer,
  '/api/symbols/AAPL/moves': movesAnswer,
  '/api/symbols/AAPL/prices': pricesAnswer,
  '/api/compare?symbol=AAPL': compareAnswer,
  '/api/map': symbolMapAnswer,
  '/api/movers': moversAnswer,
  '/api/watching?symbol=AAPL&user=1&view=rating%3D5': watchingAnswer,
  '/api/users': usersPage,
  '/api/users/1': userAnswer,
  '/api/users/1/calls': userRatingsAnswer,
  '/api/dumps': dumpsAnswer,
  '/api/status': statusAnswer,
  '/api/health': healthAnswer,
}
const PATHS = [...Object.keys(ANSWERS), '/api/v1/posts', '/api/ratings.csv', '/api/events']

const withQuery = (path: string, query: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${query}`

describe('answers', () => {
  it.each(Object.entries(ANSWERS))('%s keeps the shape that it promises', async (path, schema) => {
    const { response, body } = await json(path)
    expect(response.status).toBe(200)
    expect(schema.safeParse(body).error).toBeUndefined()
    expect(body).toMatchObject({ success: true, code: 200 })
  })

  it('the proxy gives a page of the service as it came, without the key', async () => {
    const { body } = await json('/api/v1/posts?page=2')
    const direct = await test.service.handle(
      new Request(`http://embedded/service/api/v1/posts?page=2&api_key=${test.key}`),
    )
    expect(body).toEqual(await direct.json())
  })

  it('many who ask for a page of the service at once cost one request', async () => {
    const before = test.seen.length
    await Promise.all(Array.from({ length: 20 }, () => test.ask('/api/v1/posts?page=3')))
    expect(test.seen.length - before).toBe(1)
  })

  it('a key that a browser sends is not passed on', async () => {
    const { response } = await json('/api/v1/posts?page=2&api_key=from-the-browser')
    expect(response.status).toBe(200)
  })

  it('HEAD is GET without a body, on every address', async () => {
    for (const path of PATHS) {
      const [head, get] = [await test.ask(path, { method: 'HEAD' }), await test.ask(path)]
      expect(await head.text()).toBe('')
      expect(head.status).toBe(get.status)
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
      await get.body?.cancel()
    }
  })

  it('whoever has an answer gets 304 until it changes', async () => {
    const first = await test.ask('/api/ratings?symbol=AAPL')
    const etag = first.headers.get('etag') ?? ''
    const again = await test.ask('/api/ratings?symbol=AAPL', { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    const other = await test.ask('/api/ratings', { headers: { 'if-none-match': etag } })
    expect(other.status).toBe(200)
  })

  it('past the last page there are no rows, and no error', async () => {
    const { body } = await json('/api/ratings?page=9999999')
    expect(body.data).toEqual([])
    expect(body.page.total).toBe(600)
  })
})

describe('a year', () => {
  const asked = [
    ...['/api/ratings', '/api/facets', '/api/ratings.csv', '/api/ratings.atom', '/api/calls'],
    ...['/api/lookups', '/api/changes', '/api/symbols/AAPL/series', '/api/symbols/AAPL/moves'],
  ]
  const ask = async (path: string) => {
    const response = await test.ask(path)
    const body = (await response.text()).replaceAll(/\?from=[^"]*/g, '')
    return { status: response.status, body }
  }

  it.each(asked)('is a year wherever an instant is asked for: %s', async (path) => {
    const year = await ask(`${path}?from=2026`)
    expect(year.status).toBe(200)
    expect(year).toEqual(await ask(`${path}?from=2026-01-01`))
  })

  it.each(asked)('without hyphens is refused by the form that is meant: %s', async (path) => {
    const { status, body } = await ask(`${path}?from=20260102`)
    expect([status, body]).toEqual([400, expect.stringContaining('a day is written 2024-01-31')])
  })
})

describe('what is asked wrongly', () => {
  const WRONG = [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=NaN',
    'page=',
    'page=99999999999999999999',
    'page=1&page=2',
    "nope=' or 1=1 --",
    'nope=<script>alert(1)</script>',
    '%00=1',
    '__proto__=1',
  ]
  it.each(PATHS.flatMap((path) => WRONG.map((query) => [path, query] as const)))(
    '%s asked %s is a 400 that names the parameter',
    async (path, query) => {
      const { response, body } = await json(withQuery(path, query))
      const takesPage = !/AAPL|users\/1|dumps|status|health/.test(path)
      const name = decodeURIComponent(query.split('=')[0] ?? '')
      expect(response.status).toBe(400)
      expect(failure.safeParse(body).success).toBe(true)
      expect(body.error.issues.map((issue: { parameter: string }) => issue.parameter)).toEqual([
        name,
      ])
      expect(takesPage || body.error.issues[0].message).toBeTruthy()
    },
  )

  it.each([
    ['/api/symbols/AAPL?date=2024-02-30', 'date'],
    ['/api/symbols/AAPL?date=today', 'date'],
    ['/api/symbols/AAPL/series?bucket=hour', 'bucket'],
    ['/api/symbols/AAPL/series?from=2024-01-02&to=2024-01-01', 'to'],
    [`/api/symbols/${'A'.repeat(193)}`, 'symbol'],
    ['/api/symbols/%00', 'symbol'],
    ['/api/symbols/A%00', 'symbol'],
    ['/api/users/abc', 'id'],
    ['/api/users/1.5', 'id'],
    ['/api/users/9007199254740992', 'id'],
    ['/api/users/99999999999999999999', 'id'],
    ['/api/symbols?sort=password', 'sort'],
    [`/api/users?q=${'1'.repeat(65)}`, 'q'],
  ])('%s is a 400 that names %s', async (path, name) => {
    const { response, body } = await json(path)
    expect(response.status).toBe(400)
    expect(body.error.issues[0].parameter).toBe(name)
  })

  it.each([
    '/api/symbols/NOSUCH',
    '/api/users/999999999',
    '/api/users/1000000000000000',
    '/api/users/-9007199254740991',
    '/api/nowhere',
    '/api',
    '/api/symbols/A/B',
  ])('%s is a 404 in the envelope', async (path) => {
    const { response, body } = await json(path)
    expect(response.status).toBe(404)
    expect(failure.safeParse(body).success).toBe(true)
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    '%s is refused with Allow',
    async (method) => {
      for (const path of PATHS) {
        const { response, body } = await json(path, { method })
        expect(response.status).toBe(405)
        expect(response.headers.get('allow')).toBe('GET, HEAD')
        expect(failure.safeParse(body).success).toBe(true)
      }
    },
  )

  it('is never a 500, whatever is asked', async () => {
    const names = fc.oneof(
      fc.constantFrom('symbol', 'user', 'rating', 'action', 'from', 'to', 'prediction_min'),
      fc.constantFrom('prediction_max', 'state', 'asof', 'sort', 'page', 'per_page', 'q', 'date'),
    )
    const values = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer().map(String),
      fc.double().map(String),
      fc.constantFrom('-1', '0', '1e999', "'; drop table rating; --", '%', '_', '\\', '2024-01-01'),
    )
    const pairs = fc.array(fc.tuple(names, values), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), pairs, async (path, query) => {
        const response = await test.ask(withQuery(path, String(new URLSearchParams(query))))
        await response.body?.cancel()
        expect([200, 400, 404]).toContain(response.status)
      }),
      { numRuns: draws(200) },
    )
    expect(test.errors).toEqual([])
  })
})

describe('rows as CSV', () => {
  it('are every matching row, whatever page is asked for', async () => {
    const { body } = await json('/api/ratings?rating=5&per_page=500')
    const text = await (await test.ask('/api/ratings.csv?rating=5&page=3&per_page=1')).text()
    const [head, ...lines] = text.trimEnd().split('\r\n')
    expect(head).toBe(
      [
        ...RATING_FIELDS,
        ...['previous_rating', 'previous_prediction', 'state', 'vanished_at', 'ended'],
      ].join(','),
    )
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(
      body.data.map((row: { id: number }) => row.id),
    )
  })
})

describe('a sync on request', () => {
  const ask = (headers: Record<string, string>) =>
    test.ask('/api/sync', { method: 'POST', headers })

  it('is taken from a page of ours only', async () => {
    const json = { 'content-type': 'application/json' }
    expect((await ask({ ...json, 'sec-fetch-site': 'same-origin' })).status).toBe(202)
    expect((await ask({ ...json, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await ask(json)).status).toBe(403)
    const host = { ...json, host: 'ratings.lan:3000' }
    expect((await ask({ ...host, origin: 'http://ratings.lan:3000' })).status).toBe(202)
    expect((await ask({ ...host, origin: 'http://evil.example' })).status).toBe(403)
    expect((await ask({ ...host, origin: 'null' })).status).toBe(403)
    expect(
      (await ask({ 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(403)
    expect((await test.ask('/api/sync')).status).toBe(405)
  })
})

it.each(
  OPERATIONS.filter(({ method = 'GET' }) => method !== 'GET').map(
    ({ method = 'GET', address }) => [method, address] as const,
  ),
)('refuses %s %s when a page of another site sends it with a token', async (method, address) => {
  const headers = {
    'content-type': 'application/json',
    authorization: 'Bearer bw_x',
    host: 'ratings.lan:3000',
    origin: 'http://evil.example',
  }
  const path = address.replace(/\{\w+\}/, 'a.csv')
  const body = method === 'DELETE' ? null : '{}'
  expect((await test.ask(path, { method, headers, body })).status).toBe(403)
})

describe('when the service is down', () => {
  it('views are answered all the same, and the proxy says so and asks it no more often than it must', async () => {
    test.outage.on = true
    const before = test.seen.length
    const { response, body } = await json('/api/v1/posts?page=4')
    expect(response.status).toBe(503)
    expect(body.error.type).toBe('upstream_unavailable')
    const asked = test.seen.length - before
    await Promise.all(Array.from({ length: 20 }, () => test.ask('/api/v1/posts?page=4')))
    expect(test.seen.length - before).toBe(asked)
    expect((await test.ask('/api/ratings')).status).toBe(200)
    test.outage.on = false
  })
})
