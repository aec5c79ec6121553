const QUALITY_LABELS = {
  strong_buy_negative: 'Negative Strong Buy',
  upgraded_false: 'False upgrade',
  initiated_twice: 'Initiated twice',
  expired_before_created: 'Expired before posting',
  extreme_prediction: 'Extreme prediction',
  flip_within_day: 'Flip within a day',
  vanished: 'No longer listed',
} as const

export type Quality = keyof typeof QUALITY_LABELS

const isQuality = (name: string): name is Quality => name in QUALITY_LABELS

export const QUALITIES: readonly Quality[] = Object.keys(QUALITY_LABELS).filter(isQuality)

export const qualityLabel = (name: Quality): string => QUALITY_LABELS[name]

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

/** Percent in either direction, inclusive. */
export const EXTREME_PERCENT = 100

export const FLIP_SECONDS = 86_400
