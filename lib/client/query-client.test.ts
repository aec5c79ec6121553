import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { isWorthRetrying } from './query-client.ts'

test('a request that was refused is not asked again, an outage is', () => {
  expect(isWorthRetrying(new ApiError('bad_request', 400, 'No.', []))).toBe(false)
  expect(isWorthRetrying(new ApiError('not_found', 404, 'No.', []))).toBe(false)
  expect(isWorthRetrying(new ApiError('not_ready', 503, 'Not yet.', []))).toBe(true)
  expect(isWorthRetrying(new ApiError('busy', 503, 'Not now.', [], 12))).toBe(false)
  expect(isWorthRetrying(new ApiError('offline', 0, 'Gone.', []))).toBe(true)
})
