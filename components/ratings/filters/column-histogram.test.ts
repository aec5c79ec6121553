import { expect, it } from 'vitest'
import { selectSoleValue } from './column-histogram.ts'

it('one bin whose ends are the same is a community that predicts one thing', () => {
  expect(selectSoleValue([{ from: '0', to: '0', count: 312 }])).toBe('0')
  expect(selectSoleValue([{ from: '0', to: '1', count: 312 }])).toBeNull()
  expect(selectSoleValue([])).toBeNull()
})
