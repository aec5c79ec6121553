import { expect, it } from 'vitest'
import { selectStages } from './archive-filling.tsx'
import { describePace, describeProgress, describeRemaining } from './progress-text.ts'

it('how far a step is has its unit, and says so where nobody knows how much there is', () => {
  expect(describeProgress({ done: 45_000, total: 100_000, unit: 'rows' })).toBe(
    '45,000 of 100,000 rows',
  )
  expect(describeProgress({ done: 4_100_000, total: null, unit: 'bytes' })).toBe('4.1 MB so far')
  expect(describeProgress({ done: 12, total: null, unit: 'pages' })).toBe('12 pages so far')
  expect(describeProgress({ done: 0, total: null, unit: 'bytes' })).toBe('')
})

it('a pace that nobody knows is not made up', () => {
  expect(describePace({ unit: 'rows', per_second: null, remaining_seconds: null })).toBe('')
  expect(describePace({ unit: 'rows', per_second: 0, remaining_seconds: null })).toBe('')
  expect(describePace({ unit: 'rows', per_second: 12_400, remaining_seconds: null })).toBe(
    '12,400 rows/s',
  )
  expect(describePace({ unit: 'bytes', per_second: 2_400_000, remaining_seconds: 38 })).toBe(
    '2.4 MB/s · about 40 s left',
  )
})

it.each([
  [null, null],
  [0, 'a few seconds left'],
  [4, 'a few seconds left'],
  [5, 'about 5 s left'],
  [56, 'about 60 s left'],
  [60, 'about 1 min left'],
  [61, 'about 2 min left'],
  [3599, 'about 60 min left'],
  [3600, 'about 1 h left'],
  [7201, 'about 3 h left'],
])('%s seconds are no less than they are: %s', (remaining_seconds, text) => {
  expect(describeRemaining({ remaining_seconds })).toBe(text)
})

it('every step belongs to one stage of a filling, and those of a dump follow one another', () => {
  const order = (['fetching', 'verifying', 'importing', 'deriving'] as const).map(
    (step) => selectStages(step).current,
  )
  expect(order).toEqual([0, 0, 1, 2])
  for (const step of ['discovering', 'reading'] as const) {
    expect(selectStages(step).current).toBeGreaterThanOrEqual(0)
  }
})
