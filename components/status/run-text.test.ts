import { expect, test } from 'vitest'
import { ENGLISH_FORMATS } from '#components/format/formats.ts'
import { toRowChanges, toTook } from './run-text.ts'

test('how long something took is said in the two largest units that say something', () => {
  expect([0, 1, 59, 60, 185, 3600, 3720, 90_000].map(toTook)).toEqual([
    'under 1 s',
    '1 s',
    '59 s',
    '1 min',
    '3 min 5 s',
    '1 h',
    '1 h 2 min',
    '25 h',
  ])
})

test('what a run did names only what happened, and that nothing did', () => {
  const rows = { inserted: 1204, updated: 0, vanished: 2, quarantined: 0 }
  expect(toRowChanges(rows, ENGLISH_FORMATS)).toBe('1,204 new, 2 gone')
  expect(toRowChanges({ ...rows, inserted: 0, vanished: 0 }, ENGLISH_FORMATS)).toBe('nothing new')
  expect(toRowChanges(null, ENGLISH_FORMATS)).toBe('')
})
