import { describe, expect, test } from 'vitest'
import { ENGLISH_FORMATS } from '#components/format/numbers.ts'
import { toBarsPath, toBarsReading } from './users-screen.tsx'

describe('the bars of a year', () => {
  test('have the same scale for everybody: one a day and more fill the height', () => {
    expect(toBarsPath([1, 0, 7], 14)).toBe('M0 14v-2h3v2zM8 14v-14h3v14z')
    expect(toBarsPath([40], 14)).toBe(toBarsPath([7], 14))
    expect(toBarsPath([0, 0], 14)).toBe('')
  })

  test('are said in words: how many, how spread, the most, and since when none', () => {
    const read = (activity: number[]) => toBarsReading(activity, ENGLISH_FORMATS)
    expect(read([0, 1, 0, 1200])).toBe(
      '1,201 ratings in 2 of 4 weeks, at most 1,200 in one, the last in the latest',
    )
    expect(read([1, 0])).toBe('1 rating in 1 of 2 weeks, at most 1 in one, the last 1 week ago')
    expect(read([0, 0, 0])).toBe('No rating in 3 weeks')
  })
})
