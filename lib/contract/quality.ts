/** Definitions are in `quality-definitions.ts`: the first page load needs labels only. */
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
