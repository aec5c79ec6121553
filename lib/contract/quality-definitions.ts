import type { Quality } from './quality.ts'

/**
 * *The rating before*: the user's previous one on the symbol, by `created_at`, then id. Codes are
 * the specification's.
 */
export const QUALITY_RULES: Readonly<Record<Quality, string>> = {
  strong_buy_negative: 'A Strong Buy with a prediction below 0%.',
  upgraded_false:
    'Labelled Upgraded, but the rating before was equal or higher, or there was none.',
  initiated_twice: 'Labelled Initiated, but the user had rated the symbol before.',
  expired_before_created: 'Its expiry lies at or before its own posting. An expiry of 0 is none.',
  extreme_prediction: 'A prediction of 100% or more, up or down.',
  flip_within_day: 'The rating before was on the other side of Hold, less than 24 hours earlier.',
  vanished: 'Missing from the newest whole dump that should list it, and not seen since.',
}

/** In percent, either direction, inclusive. */
export const EXTREME_PERCENT = 100

export const FLIP_SECONDS = 86_400
