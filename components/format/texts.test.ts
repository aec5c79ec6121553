import { expect, test } from 'vitest'
import { toVisibleText } from './texts.ts'

test('what a reader would not see is written out', () => {
  expect(toVisibleText('a\nb\u0000c')).toBe('a\\nb\\u0000c')
  expect(toVisibleText('AAPL\u202egnp.exe')).toBe('AAPL\\u202egnp.exe')
  expect(toVisibleText('A\u200bA\ufeff')).toBe('A\\u200bA\\ufeff')
  expect(toVisibleText('\ud800')).toBe('\\ud800')
})

test('ordinary writing of any script stays as it is', () => {
  expect(toVisibleText('Ünïcode 株 <b>&amp;</b> 😀')).toBe('Ünïcode 株 <b>&amp;</b> 😀')
})

test('a long row is cut between characters and says by how much', () => {
  const text = toVisibleText('😀'.repeat(500))
  expect(text.endsWith('… (100 more)')).toBe(true)
  expect(Array.from(text).slice(0, 400).join('')).toBe('😀'.repeat(400))
})
