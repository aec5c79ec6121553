import { expect, test } from 'vitest'
import { readBearer } from './bearer.ts'

test.each([
  ['Bearer bw_x', 'bw_x'],
  ['bearer \t bw_x', 'bw_x'],
  [`Bearer ${'x'.repeat(513)}`, 'x'.repeat(513)],
  ['Bearer a b', 'a b'],
  ['Bearer', ''],
  ['Bearerx', undefined],
  ['Basic YWRhOng=', undefined],
  ['', undefined],
  [null, undefined],
])('%j shows the secret %j', (header, secret) => {
  expect(readBearer(header)).toBe(secret)
})
