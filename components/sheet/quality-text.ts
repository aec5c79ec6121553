import { formatDay } from '#components/format/instant.ts'
import type { RatingAnswer } from '#lib/contract/answers/ratings.ts'
import type { Quality } from '#lib/contract/quality.ts'
import { ratingLabel } from '#lib/contract/rating-codes.ts'
import { selectPrevious } from './standing.ts'

/** Why a rating falls under a lens, in a sentence about this very rating. */
export function toQualityText(name: Quality, answer: RatingAnswer): string {
  const { data } = answer
  switch (name) {
    case 'strong_buy_negative':
      return `${data.rating_label}, but the prediction is below 0%.`
    case 'upgraded_false':
      return `Labelled ${data.action_label}, but ${toBefore(answer)}.`
    case 'initiated_twice':
      return `Labelled ${data.action_label}, but the member had rated the symbol before.`
    case 'expired_before_created':
      return data.expired_at === data.created_at
        ? 'Its expiry is the second of its posting.'
        : 'Its expiry lies before its posting.'
    case 'extreme_prediction':
      return data.prediction.startsWith('-')
        ? 'It predicts a fall of 100% or more.'
        : 'It predicts a rise of 100% or more.'
    case 'flip_within_day':
      return `Less than 24 hours before, the member had said ${toLabelBefore(answer)}.`
    case 'vanished':
      return `Missing from the service's dump of ${formatDay(data.vanished_at ?? 0)} (UTC), and not come again since.`
  }
}

function toBefore(answer: RatingAnswer): string {
  const { rating, previous_rating: before } = answer.data
  if (before === null) return 'there was no rating before'
  return before === rating
    ? 'the rating before was the same'
    : `the rating before was higher: ${toLabelBefore(answer)}`
}

const toLabelBefore = (answer: RatingAnswer): string =>
  selectPrevious(answer)?.rating_label ?? ratingLabel(answer.data.previous_rating ?? 0)
