import { formatDay } from '#components/format/instants.ts'
import { formatPrediction } from '#components/format/numbers.ts'
import type { HistoryItem, RatingAnswer } from '#lib/contract/answers/ratings.ts'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

/** Null if there was none, or no change. */
export function toRatingBefore(answer: RatingAnswer): string | null {
  const { rating, previous_rating: code } = answer.data
  if (code === null || code === rating) return null
  return toVisibleText(selectPrevious(answer)?.rating_label ?? ratingLabel(code))
}

/** Null if there was none, or no change. */
export function toPredictionBefore({ data }: RatingAnswer): string | null {
  const { prediction, previous_prediction: before } = data
  return before === prediction ? null : before
}

const toChange = (before: string | null, now: string) =>
  before === null ? now : `${before} → ${now}`

export function toRatingTitle(answer: RatingAnswer): string {
  const { symbol, rating_label, user_id } = answer.data
  return `${toVisibleText(symbol)}: ${toChange(toRatingBefore(answer), toVisibleText(rating_label))} by user ${user_id}`
}

export function toRatingDescription(answer: RatingAnswer): string {
  const { data } = answer
  const before = toPredictionBefore(answer)
  const prediction = toChange(
    before === null ? null : formatPrediction(before),
    formatPrediction(data.prediction),
  )
  const what = `${toVisibleText(data.action_label)} by user ${data.user_id} on ${formatDay(data.created_at)}`
  const { word, text, at } = toStanding(answer)
  const end = at === null ? word : `${word} ${text} ${formatDay(at)}`
  return `${toChange(toRatingBefore(answer), toVisibleText(data.rating_label))} on ${toVisibleText(data.symbol)}, prediction ${prediction}. ${what}. ${end}.`
}

/** Seconds since 1970. */
export type Standing = {
  word: 'Active' | 'Expired' | 'Replaced' | 'No longer listed' | 'Not posted yet'
  text: string
  at: number | null
  by: HistoryItem | null
  /** The original expiry of a replaced rating. */
  foreseen: number | null
}

export function toStanding({ data, history }: RatingAnswer): Standing {
  const until = data.effective_until
  const known = { at: until, by: null, foreseen: null }
  if (data.state === null)
    return { ...known, word: 'Not posted yet', text: 'until', at: data.created_at }
  if (data.state === 'active') {
    const text = until === null ? 'with no end: no expiry was given' : 'until'
    return { ...known, word: 'Active', text }
  }
  if (data.ended === 'renewed') {
    const text = until === data.created_at ? 'in the second it was posted,' : 'on'
    // 0 means no expiry.
    const foreseen = data.expired_at || null
    return { word: 'Replaced', text, at: until, by: selectNext({ data, history }), foreseen }
  }
  if (data.ended === 'vanished') {
    return { ...known, word: 'No longer listed', text: 'by the service since' }
  }
  const isBeforehand = until !== null && until <= data.created_at
  return { ...known, word: 'Expired', text: isBeforehand ? 'before it was posted, on' : 'on' }
}

const selectPrevious = (answer: Pick<RatingAnswer, 'data' | 'history'>) => selectBeside(answer, -1)

const selectNext = (answer: Pick<RatingAnswer, 'data' | 'history'>) => selectBeside(answer, 1)

function selectBeside(
  { data, history }: Pick<RatingAnswer, 'data' | 'history'>,
  step: 1 | -1,
): HistoryItem | null {
  const place = history.ratings.findIndex(({ id }) => id === data.id)
  return place < 0 ? null : (history.ratings[place + step] ?? null)
}
