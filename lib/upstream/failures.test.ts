import { expect, test } from 'vitest'
import { backoffMs, parseRetryAfter, RETRY_RULES, toTransportFailure } from './failures.ts'

const NOW = Date.UTC(2026, 10, 15, 12, 0, 0) / 1000

test.each([
  ['7', 7],
  [' 7 ', 7],
  ['0', null],
  ['99999', 86_400],
  ['99999999999999999999', RETRY_RULES.longestSeconds],
  ['Sun, 15 Nov 2026 12:00:09 GMT', 9],
  ['Sunday, 15-Nov-26 12:00:09 GMT', 9],
  ['Sun, 15 Nov 2026 11:00:00 GMT', null],
  ['Thu, 01 Jan 1970 00:00:00 GMT', null],
  ['', null],
  ['-5', null],
  ['1.5', null],
  ['1e3', null],
  ['soon', null],
  ['2026-11-15T12:00:09Z', null],
  ['Sun, 99 Nov 2026 12:00:09 GMT', null],
  ['12, 13', null],
])('Retry-After %j means %j seconds', (text, seconds) => {
  expect(parseRetryAfter(text, NOW)).toBe(seconds)
})

test('the backoff doubles up to its cap and jitters over all of it', () => {
  const most = [1, 2, 3, 4, 5, 6, 50].map((attempt) => backoffMs(attempt, () => 1))
  expect(most).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
  expect(backoffMs(3, () => 0)).toBe(0)
})

const withCode = (code: unknown) => Object.assign(new Error('http://h/?api_key=K'), { code })

test.each([
  ['ECONNREFUSED', 'network'],
  ['ECONNRESET', 'network'],
  ['ENOTFOUND', 'network'],
  ['EAI_AGAIN', 'network'],
  ['UND_ERR_SOCKET', 'network'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
  ['HPE_INVALID_CONSTANT', 'protocol'],
  ['UND_ERR_INVALID_ARG', 'unknown'],
  ['constructor', 'unknown'],
  [42, 'unknown'],
  [undefined, 'unknown'],
])('an error with the code %s is a failure of the kind %s, without its text', (code, kind) => {
  const failure = toTransportFailure(withCode(code))
  expect(failure.kind).toBe(kind)
  expect(failure.stack).not.toContain('api_key')
  expect(failure.cause).toBeUndefined()
})
