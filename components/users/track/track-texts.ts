import {
  formatConsensus,
  formatCount,
  formatCounted,
  formatShare,
} from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import { RANKED_LEAST } from '#lib/contract/answers/limits.ts'
import type { Calibration, Luck, Tally, Track } from '#lib/contract/answers/track.ts'
import type { Horizon } from '#lib/contract/horizons.ts'

/** Whole percent: `0.571429` is 57. */
const toTimes = (share: string): number => Math.round(Number(share) * 100)

export type Verdict = { stand: string; detail: string | null }

export function toCoinVerdict(of: Tally & { horizon: Horizon }): Verdict {
  const { clusters, hit_rate: rate, hit_low: low, hit_high: high } = of
  if (rate === null || low === null || high === null) {
    return { stand: TOO_FEW, detail: toNothingYet(of) }
  }
  const right = `right ${formatShare(toTimes(rate))} of ${formatCounted(clusters, 'call')}`
  const span = `${formatCount(toTimes(low))}–${formatShare(toTimes(high))}`
  return {
    stand: clusters < RANKED_LEAST ? TOO_FEW : toStand(low, high),
    detail: `${right} (${span})`,
  }
}

/** Led by the rank of a user who has one. */
export function toUserVerdict(track: Track): Verdict {
  const { rank, ranked } = track
  const verdict = toCoinVerdict(track)
  return rank === null
    ? verdict
    : { ...verdict, stand: `${toOrdinal(rank)} of ${formatCount(ranked)}` }
}

const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })

const toOrdinal = (place: number) =>
  `${formatCount(place)}${ENDINGS[ordinals.select(place)] ?? 'th'}`

const TOO_FEW = 'Too few calls to judge'

function toStand(low: string, high: string): string {
  if (Number(low) > 0.5) return 'Better than a coin'
  return Number(high) < 0.5 ? 'Worse than a coin' : 'No better than a coin'
}

function toNothingYet({
  calls,
  no_price,
  no_entry,
  jump,
  open,
  hold,
  horizon,
}: Tally & { horizon: Horizon }): string {
  if (calls === 0) return 'no ratings yet'
  const why = [
    [no_price + no_entry, 'without a price'],
    [open, `younger than ${horizon} days or waiting for a price`],
    [jump, 'across a price jump'],
    [hold, 'holds'],
  ] as const
  const parts = why.flatMap(([count, what]) => (count > 0 ? [`${formatCount(count)} ${what}`] : []))
  return `none of ${formatCounted(calls, 'rating')} counts yet (${parts.join(', ')})`
}

const toBenchmarkText = (benchmark: string | null): string => benchmark ?? 'the mean of all symbols'

export const toMeaningText = ({
  horizon,
  benchmark,
}: {
  horizon: Horizon
  benchmark: string | null
}): string =>
  `Right: a buy that beat ${toBenchmarkText(benchmark)} over the next ${horizon} days, or a sell that trailed it. Holds do not count; overlapping calls on one symbol count once.`

export const toPercent = (share: string | null): string =>
  share === null ? '–' : formatShare(toTimes(share))

/** `48% to 66%`; empty if missing. */
export const toSpan = (
  low: string | null,
  high: string | null,
  toText: (value: string) => string,
): string | null => (low === null || high === null ? null : `${toText(low)} to ${toText(high)}`)

export function toCalibrationText({ calls, slope, error }: Calibration): string {
  if (calls === 0) return 'No call that counts has a prediction other than 0.'
  const of = formatCounted(calls, 'call')
  if (error === null) return `${of} with a prediction.`
  const off = toSignedPercent(error.replace('-', '')).replace('+', '')
  const level =
    Number(off.replace(/[^1-9]/g, '')) === 0
      ? 'Predictions were neither too high nor too low on average'
      : `Predictions were ${off} too ${error.startsWith('-') ? 'low' : 'high'} on average`
  const rise = slope === null ? '' : `; each additional 1% predicted meant ${toRise(slope)}`
  return `${level}${rise}. Of ${of}.`
}

const toRise = (slope: string) =>
  `${toSignedPercent((Number(slope) / 100).toFixed(6))} of actual return`

export function toLuckText({ ranked, beat, worse, expected }: Luck): string {
  if (ranked === 0) return `Nobody has ${RANKED_LEAST} or more calls that count yet.`
  const enough = `${formatCounted(ranked, 'user')} with ${RANKED_LEAST} or more calls`
  const by = Math.round(Number(expected))
  const luck = by === 0 ? 'fewer than 1' : `about ${formatCount(by)}`
  return `${formatCount(beat)} of ${enough} are better than a coin and ${formatCount(worse)} worse; luck alone would give ${luck} of each.`
}

/** Two decimal places; all of them below 1. */
export function toCloseText(close: string | null): string {
  if (close === null) return '–'
  if (Number(close) >= 1) return formatConsensus(close)
  return close.replace(/0+$/, '').replace(/\.$/, '')
}
