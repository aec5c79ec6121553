import { expect, test } from 'vitest'
import { selectPages } from './pager.tsx'

const names = (number: number, pages: number) =>
  selectPages(number, pages)
    .map((step) => (step.kind === 'gap' ? '…' : step.number))
    .join(' ')

test('few pages are all named, once each', () => {
  expect(names(1, 1)).toBe('1')
  expect(names(2, 3)).toBe('1 2 3')
  expect(names(1, 4)).toBe('1 2 3 4')
})

test('many pages are named at both ends and around the one shown', () => {
  expect(names(1, 59)).toBe('1 2 3 … 59')
  expect(names(30, 59)).toBe('1 … 29 30 31 … 59')
  expect(names(59, 59)).toBe('1 … 57 58 59')
})

test('a gap never stands for a single page', () => {
  expect(names(4, 7)).toBe('1 2 3 4 5 6 7')
})

test('a page past the last one still leads back', () => {
  expect(names(99, 3)).toContain('3')
})
