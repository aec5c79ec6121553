import { expect, test } from 'vitest'
import { toVisibleExcerpt } from './texts.ts'

test('a long row is cut between characters and says by how much', () => {
  const text = toVisibleExcerpt('😀'.repeat(500))
  expect(text.endsWith('… (100 more)')).toBe(true)
  expect(Array.from(text).slice(0, 400).join('')).toBe('😀'.repeat(400))
})

test('what a reader would not see is written out in what is left', () => {
  expect(toVisibleExcerpt('AAPL\u202egnp.exe')).toBe('AAPL\\u202egnp.exe')
})
