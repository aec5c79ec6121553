import { expect, test } from './support/test.ts'

const PAGES = [
  ['/downloads/changes', '/changes'],
  ['/changes/editions', '/changes'],
  ['/embed/users/12', '/users/12'],
  ['/docs/threats', '/docs'],
  ['/docs/decisions/019-colours', '/docs'],
] as const

const OPERATIONS = [
  '/api/editions/differences',
  '/api/symbols/AAPL/followed',
  '/api/attention',
  '/api/symbols/AAPL/attention',
  '/api/overview',
  '/api/users/12/record',
  '/api/previews/users/1.png',
]

test('leads from a removed page to the one that answers its question', async ({ request }) => {
  for (const [path, target] of PAGES) {
    const response = await request.get(path, { maxRedirects: 0 })
    expect([response.status(), response.headers().location], path).toEqual([308, target])
  }
})

test('answers a removed operation as one that never was', async ({ request }) => {
  for (const path of OPERATIONS) expect((await request.get(path)).status(), path).toBe(404)
})
