import { expect, test } from 'vitest'
import { toTransportFailure } from './transport-failure.ts'

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

test('what is no error at all is a failure as well', () => {
  for (const thrown of [null, undefined, 'text', 7]) {
    expect(toTransportFailure(thrown).kind).toBe('unknown')
  }
})
