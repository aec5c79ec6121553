import { expect, test } from 'vitest'
import { toNextSort } from './header-cells.tsx'

test('a click on a heading sorts from the usual end first and turns around the second time', () => {
  const first = toNextSort({ column: 'votes', direction: 'desc' }, 'symbol', 'asc')
  expect(first).toEqual({ column: 'symbol', direction: 'asc' })
  expect(toNextSort(first, 'symbol', 'asc')).toEqual({ column: 'symbol', direction: 'desc' })
})
