import { expect, test } from 'vitest'
import { isLone } from './chart-data.ts'

test('a value between two gaps is told apart, so that it can be a dot', () => {
  const values = [4, null, 3, null, 2, 2]
  expect(values.map((_, index) => isLone(values, index))).toEqual([
    true,
    false,
    true,
    false,
    false,
    false,
  ])
})
