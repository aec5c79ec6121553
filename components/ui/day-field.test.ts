import { expect, test } from 'vitest'
import { isDay } from './day-field.tsx'

test('only days of the calendar in ISO form are passed on', () => {
  expect(['2024-02-29', '1970-01-01'].every(isDay)).toBe(true)
  const refused = [
    '2023-02-29',
    '2024-13-01',
    '2024-1-1',
    '01/02/2024',
    '0202-01-01',
    '2024-02',
    '',
  ]
  expect(refused.filter(isDay)).toEqual([])
})
