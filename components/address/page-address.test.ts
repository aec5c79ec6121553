import { expect, test } from 'vitest'
import { toNextSort, toQuarantineParams } from './page-address.ts'

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

test('a click on a heading sorts from the usual end first and turns around the second time', () => {
  const first = toNextSort({ column: 'votes', direction: 'desc' }, 'symbol', 'asc')
  expect(first).toEqual({ column: 'symbol', direction: 'asc' })
  expect(toNextSort(first, 'symbol', 'asc')).toEqual({ column: 'symbol', direction: 'desc' })
})
