import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failure } from '#lib/contract/envelope.ts'
import { openService, type TestService } from './service.test-support.ts'

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

test('HEAD answers as GET does, without a body', async () => {
  const service = await openService()
  for (const path of [
    '/api/v1/posts?page=2',
    '/api/v1/posts/dumps',
    '/api/v1/posts?page=0',
    '/nowhere',
  ]) {
    const [get, head] = [await service.get(path), await service.get(path, { method: 'HEAD' })]
    expect(head.status).toBe(get.status)
    expect([...head.headers]).toEqual([...get.headers])
    expect(await head.text()).toBe('')
    expect(Number(get.headers.get('content-length'))).toBe((await get.arrayBuffer()).byteLength)
  }
})

const small = { kind: 'demo', ratings: 5, seed: 1, tailSeconds: 0 } as const

describe('parameters', () => {
  const bad = [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e3',
    'page=0x10',
    'page=',
    'page=NaN',
    'page=%D9%A1',
    'page=01',
    'page=1&page=2',
    'page=1&page=1',
    'page[]=1',
    'PAGE=1',
    'per_page=5',
    '__proto__=1',
    'constructor=1',
    'page=99999999999999999999999',
  ]

  test('that no page has, or unknown ones, or one given twice, are a 400', async () => {
    const service = await openService({ source: small })
    for (const query of bad) await expectFailure(await service.get(`/api/v1/posts?${query}`), 400)
  })

  test('a dump takes none but the key', async () => {
    const service = await openService()
    await expectFailure(await service.get('/api/v1/posts/dumps?page=1'), 400)
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
      { numRuns: 50 },
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
