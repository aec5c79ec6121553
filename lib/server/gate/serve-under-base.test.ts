import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { createBasePath } from '#lib/contract/base-path.ts'
import type { Answerer } from './refuse.ts'
import { serveUnderBase } from './serve-under-base.ts'

type TestRequest = { url: string; method?: string }

function ask(base: string, { url, method = 'GET' }: TestRequest) {
  const seen: Record<string, string | undefined> = {}
  const sent: { status?: number; headers?: Record<string, unknown> } = {}
  const note =
    (name: string) =>
    (answer: Answerer): Answerer =>
    (request, response) => {
      seen[name] = request.url
      answer(request, response)
    }
  const { withBase, withoutBase } = createBasePath(base)
  const parts = { guard: note('guard'), front: note('front') }
  const answer = serveUnderBase(parts, { base, withBase, withoutBase })(note('framework')(() => {}))
  const response = {
    writeHead(status: number, headers: Record<string, unknown>) {
      Object.assign(sent, { status, headers })
      return response
    },
    setHeader() {},
    end() {},
  }
  answer(
    { url, method, headers: {} } as IncomingMessage,
    response as unknown as ServerResponse & typeof response,
  )
  return { seen, sent }
}

it.each([
  ['/ratings', '/', '/ratings'],
  ['/ratings/', '/', '/ratings'],
  ['/ratings?rating=1', '/?rating=1', '/ratings?rating=1'],
  ['/ratings/api/ratings/5', '/api/ratings/5', '/ratings/api/ratings/5'],
  ['http://host/ratings/symbols?sort=n', '/symbols?sort=n', '/ratings/symbols?sort=n'],
])('%s is %s to all that stands before the framework, and %s to it', (url, ours, framework) => {
  const { seen, sent } = ask('/ratings', { url })
  expect(seen).toEqual({ guard: ours, front: ours, framework })
  expect(sent).toEqual({})
})

it.each([
  '/symbols',
  '/api/health',
  '/ratingsx',
  '/_next/static/x.js',
  '*',
  'nonsense',
  '//ratings',
])('%s is not here: nothing but the guard sees it', (url) => {
  const { seen, sent } = ask('/ratings', { url })
  expect(seen).toEqual({ guard: url })
  expect(sent.status).toBe(404)
})

it('the first address of the host leads to ours, where it is looked at', () => {
  expect(ask('/ratings', { url: '/' }).sent).toMatchObject({
    status: 307,
    headers: { location: '/ratings' },
  })
  expect(ask('/ratings', { url: '/', method: 'POST' }).sent.status).toBe(404)
})

it('without a path every address passes as it came', () => {
  for (const url of ['/', '/ratings/', '/api/health', '*']) {
    const { seen, sent } = ask('', { url })
    expect(seen).toEqual({ guard: url, front: url, framework: url })
    expect(sent).toEqual({})
  }
})
