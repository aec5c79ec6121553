import { expect, test } from 'vitest'
import { toRouteLabel } from './route-label.ts'

test('whatever is made up, requests are counted under few names', () => {
  const labels = [
    '/api/symbols/AAPL?date=2026-01-01',
    '/api/symbols/%3Cscript%3E/series',
    '/api/ratings.csv',
    '/api/ratingsXcsv',
    '/api/no/such/thing',
    '/service/api/v1/posts?page=1',
    '/_next/static/x.js',
    '/symbols/AAPL',
    '/wp-login.php',
    undefined,
  ].map(toRouteLabel)
  expect(labels).toEqual([
    '/api/symbols/{symbol}',
    '/api/symbols/{symbol}/series',
    '/api/ratings.csv',
    '/api/*',
    '/api/*',
    '/service/*',
    '/_next/*',
    'page',
    'page',
    'page',
  ])
})
