import { expect, test } from 'vitest'
import { NO_DIFFERENCE } from '#lib/contract/lists/edition-differences.ts'
import { selectShown, toSentence, toSpan } from './edition-differences-texts.ts'

test.each([
  ['2026-11-08', '2026-11-15', 'From 8 to 15 November 2026'],
  ['2026-11-29', '2026-12-06', 'From 29 November to 6 December 2026'],
  ['2026-12-27', '2027-01-03', 'From 27 December 2026 to 3 January 2027'],
])('from %s to %s is said with what both share once', (from, to, said) => {
  expect(toSpan({ from, to })).toBe(said)
})

const side = (edition: string) => ({ edition, fetched_at: 0, rows: 1, only: [] })
const BETWEEN = { from: side('2026-11-08'), to: side('2026-11-15') }

test('a sentence names each kind that there is, the word for ratings once', () => {
  const say = (kinds: Partial<typeof NO_DIFFERENCE>) =>
    toSentence(BETWEEN, { ...NO_DIFFERENCE, ...kinds })
  expect(say({ new: 312, edited: 14, vanished: 1, votes: 5120 })).toBe(
    'From 8 to 15 November 2026, 312 ratings were added, 14 were edited, 1 is no longer listed and 5,120 changed only in votes.',
  )
  expect(say({ votes: 1 })).toBe('From 8 to 15 November 2026, 1 rating changed only in votes.')
  expect(say({})).toBe('From 8 to 15 November 2026, nothing changed.')
})

test('what says the same in other words is shown only where it does not', () => {
  const change = (field: string, before: string, after: string) => ({ field, before, after })
  const shown = (...changes: ReturnType<typeof change>[]) =>
    selectShown(changes).map(({ field }) => field)
  const rating = change('rating', '4', '5')
  expect(shown(rating, change('rating_label', 'Moderate Buy', 'Strong Buy'))).toEqual(['rating'])
  expect(shown(rating, change('rating_label', 'Moderate Buy', 'Sell'))).toEqual([
    ...['rating', 'rating_label'],
  ])
  expect(shown(change('expired_at_date', 'a', 'b'))).toEqual(['expired_at_date'])
})
