import { expect, it } from 'vitest'
import { toShortList } from './short-list.ts'

it('a list is named whole as long as it is short, and no value of a long one goes uncounted', () => {
  expect(toShortList(['A'])).toBe('A')
  expect(toShortList(['A', 'B', 'C', 'D'])).toBe('A, B, C, D')
  expect(toShortList(['A', 'B', 'C', 'D', 'E'])).toBe('A, B, C and 2 more')
  expect(toShortList([])).toBe('')
})
