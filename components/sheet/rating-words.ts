import { formatDay } from '#components/format/instant.ts'
import { formatPrediction } from '#components/format/prediction.ts'
import type { RatingAnswer } from '#lib/contract/answers/ratings.ts'
import { ratingLabel } from '#lib/contract/rating-codes.ts'
import { selectPrevious, toStanding } from './standing.ts'

/** What was before, in the community's own words; null where nothing was, or the same. */
export function toRatingBefore(answer: RatingAnswer): string | null {
  const { rating, previous_rating: code } = answer.data
  if (code === null || code === rating) return null
  return selectPrevious(answer)?.rating_label ?? ratingLabel(code)
}

/** The prediction before; null where nothing was, or the same. */
export function toPredictionBefore({ data }: RatingAnswer): string | null {
  const { prediction, previous_prediction: before } = data
  return before === prediction ? null : before
}

const toChange = (before: string | null, now: string) =>
  before === null ? now : `${before} → ${now}`

/** A rating in one line: `AAPL: Hold → Moderate Buy by user 412`. */
export function toRatingTitle(answer: RatingAnswer): string {
  const { symbol, rating_label, user_id } = answer.data
  return `${symbol}: ${toChange(toRatingBefore(answer), rating_label)} by user ${user_id}`
}

/** A rating in a sentence or two, for those who see only a link to it. Days are UTC. */
export function toRatingDescription(answer: RatingAnswer): string {
  const { data } = answer
  const before = toPredictionBefore(answer)
  const prediction = toChange(
    before === null ? null : formatPrediction(before),
    formatPrediction(data.prediction),
  )
  const what = `${data.action_label} by user ${data.user_id} on ${formatDay(data.created_at)}`
  const { word, text, at } = toStanding(answer)
  const end = at === null ? word : `${word} ${text} ${formatDay(at)}`
  return `${toChange(toRatingBefore(answer), data.rating_label)} on ${data.symbol}, prediction ${prediction}. ${what}. ${end}.`
}
