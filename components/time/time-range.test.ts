import { expect, test } from 'vitest'
import { moveSpan } from './time-range.ts'

const at = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000
const start = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000

test('a range keeps its length at a different end, other spans stay unless they begin after it', () => {
  const ends = { before: at('2026-11-28'), after: at('2025-03-15') }
  expect(moveSpan({ from: start('2026-05-28'), to: null }, ends)).toEqual({
    from: start('2024-09-15'),
    to: null,
  })
  const own = { from: start('2024-02-03'), to: start('2024-05-06') }
  expect(moveSpan(own, ends)).toEqual(own)
  const later = { from: start('2026-01-02'), to: start('2026-02-03') }
  expect(moveSpan(later, ends)).toEqual({ from: null, to: null })
  expect(moveSpan({ from: null, to: null }, ends)).toEqual({ from: null, to: null })
})
