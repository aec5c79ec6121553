import { describe, expect, test } from 'vitest'
import { toBarPoints, toBarsReading } from './users-screen.tsx'

describe('the bars of a year', () => {
  test('have the same scale for everybody: one a day and more fill the height', () => {
    expect(toBarPoints([1, 0, 7])).toEqual([
      { x: 0, y: 7 },
      { x: 0, y: 6 },
      { x: null, y: null },
      { x: 2, y: 7 },
      { x: 2, y: 0 },
      { x: null, y: null },
    ])
    expect(toBarPoints([40])).toEqual(toBarPoints([7]))
    expect(toBarPoints([0, 0])).toEqual([])
  })

  test('are said in words: how many, how spread, the most, and since when none', () => {
    expect(toBarsReading([0, 1, 0, 1200])).toBe(
      '1,201 ratings in 2 of 4 weeks, at most 1,200 in one, the last in the latest',
    )
    expect(toBarsReading([1, 0])).toBe(
      '1 rating in 1 of 2 weeks, at most 1 in one, the last 1 week ago',
    )
    expect(toBarsReading([0, 0, 0])).toBe('No rating in 3 weeks')
  })
})
