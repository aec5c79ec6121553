import { expect, test } from 'vitest'
import type { RatingDetail } from '#lib/contract/answers/ratings.ts'
import type { Quality } from '#lib/contract/quality.ts'
import { makeAnswer } from './answer.test-support.ts'
import { toQualityText } from './quality-text.ts'

const textOf = (name: Quality, given: Partial<RatingDetail>, before?: string) =>
  toQualityText(
    name,
    makeAnswer(given, [], before ? [{ id: 3, created_at: 1, rating_label: before }] : []),
  )

test.each<[Quality, Partial<RatingDetail>, string, string?]>([
  [
    'strong_buy_negative',
    { rating_label: 'Strong Buy' },
    'Strong Buy, but the prediction is below 0%.',
  ],
  [
    'upgraded_false',
    { rating: 4, previous_rating: 4 },
    'Labelled Upgraded, but the rating before was the same.',
  ],
  [
    'upgraded_false',
    { rating: 4, previous_rating: 5 },
    'Labelled Upgraded, but the rating before was higher: Kaufen.',
    'Kaufen',
  ],
  [
    'upgraded_false',
    { previous_rating: null },
    'Labelled Upgraded, but there was no rating before.',
  ],
  [
    'initiated_twice',
    { action_label: 'Initiated' },
    'Labelled Initiated, but the member had rated the symbol before.',
  ],
  ['expired_before_created', { expired_at: 5 }, 'Its expiry lies before its posting.'],
  [
    'expired_before_created',
    { created_at: 5, expired_at: 5 },
    'Its expiry is the second of its posting.',
  ],
  ['extreme_prediction', { prediction: '100' }, 'It predicts a rise of 100% or more.'],
  ['extreme_prediction', { prediction: '-100.5' }, 'It predicts a fall of 100% or more.'],
  [
    'vanished',
    { vanished_at: 1_795_000_000 },
    "Missing from the service's dump of 2026-11-18 (UTC), and not come again since.",
  ],
  [
    'flip_within_day',
    { rating: 4, previous_rating: 2 },
    'Less than 24 hours before, the member had said Moderate Sell.',
  ],
])('%s says of the rating what is wrong with it', (name, given, text, before) => {
  expect(textOf(name, given, before)).toBe(text)
})
