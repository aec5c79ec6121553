import type { Quality } from './quality.ts'

/** *The rating before*: the user's previous one on the symbol. */
export const QUALITY_RULES: Readonly<Record<Quality, string>> = {
  strong_buy_negative: 'A Strong Buy with a prediction below 0%.',
  upgraded_false:
    'Labeled Upgraded, but the previous rating was equal or higher, or there was none.',
  initiated_twice: 'Labeled Initiated, but the user had rated the symbol before.',
  expired_before_created: 'It expires at or before its own posting. An expiry of 0 means none.',
  extreme_prediction: 'A prediction of 100% or more, up or down.',
  flip_within_day: 'The previous rating was on the other side of Hold, less than 24 hours earlier.',
  vanished: 'Missing from the newest complete dump that should list it, and not seen since.',
}
