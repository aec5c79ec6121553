import { expect, test } from 'vitest'
import { toQuarantineParams } from './page-address.ts'

const address = new URLSearchParams('reason=no+id&page=3')

test('the quarantine is asked for what the address says', () => {
  expect(toQuarantineParams(address).toString()).toBe('reason=no+id&page=3&per_page=10')
  expect(toQuarantineParams(new URLSearchParams('page=x')).toString()).toBe('per_page=10')
  expect(toQuarantineParams(new URLSearchParams('page=-1')).toString()).toBe('per_page=10')
})

test('a page turns within the reason, another reason begins at its first page, defaults are not written', () => {
  expect(toQuarantineParams(address, { page: 4 }).toString()).toBe('reason=no+id&page=4')
  expect(toQuarantineParams(address, { reason: 'bad' }).toString()).toBe('reason=bad')
  expect(toQuarantineParams(address, { reason: '' }).toString()).toBe('')
  expect(toQuarantineParams(address, { page: 1 }).toString()).toBe('reason=no+id')
})
