import type { HistoryItem, RatingAnswer, RatingDetail } from '#lib/contract/answers/ratings.ts'

const RATING: RatingDetail = {
  id: 7,
  user_id: 412,
  symbol: 'AAPL',
  rating: 4,
  rating_label: 'Moderate Buy',
  action: 2,
  action_label: 'Upgraded',
  prediction: '12.50',
  tally_agree: 7,
  tally_disagree: 1,
  tally_comment: 2,
  created_at: 1_767_614_400,
  created_at_date: '2026-01-05 12:00:00',
  expired_at: null,
  expired_at_date: null,
  previous_rating: null,
  previous_prediction: null,
  state: 'active',
  ended: null,
  vanished_at: null,
  effective_until: null,
  extra: null,
}

type OtherRating = Partial<HistoryItem> & { id: number; created_at: number }

const toItem = ({ id, created_at, ...given }: Partial<HistoryItem> & OtherRating): HistoryItem => ({
  id,
  created_at,
  rating: RATING.rating,
  rating_label: RATING.rating_label,
  action: RATING.action,
  action_label: RATING.action_label,
  prediction: RATING.prediction,
  expired_at: null,
  state: 'expired',
  ...given,
})

export function makeAnswer(
  given: Partial<RatingDetail> = {},
  later: readonly OtherRating[] = [],
  earlier: readonly OtherRating[] = [],
): RatingAnswer {
  const data = { ...RATING, ...given }
  const ratings = [...earlier.map(toItem), toItem(data), ...later.map(toItem)]
  return {
    success: true,
    code: 200,
    data,
    history: { total: ratings.length, before: 0, ratings },
    meta: { as_of: RATING.created_at + 86_400, complete_to: null, generation: 1 },
  }
}
