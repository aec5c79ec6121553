import type { RatingRow } from '#lib/contract/answers/ratings.ts'

/** A rating as the archive knows it, with what a test cares about changed. */
export const aRow = (changes: Partial<RatingRow> = {}): RatingRow => ({
  id: 7,
  user_id: 12,
  symbol: 'AAPL',
  rating: 5,
  rating_label: 'Strong Buy',
  action: 2,
  action_label: 'Upgraded',
  prediction: '12.50',
  tally_agree: 1600,
  tally_disagree: 3,
  tally_comment: 0,
  created_at: Date.UTC(2024, 4, 13, 14, 32, 5) / 1000,
  created_at_date: '2024-05-13 14:32:05',
  expired_at: Date.UTC(2024, 7, 11, 14, 32, 5) / 1000,
  expired_at_date: '2024-08-11 14:32:05',
  previous_rating: 3,
  previous_prediction: '8.00',
  state: 'active',
  ended: null,
  vanished_at: null,
  ...changes,
})
