import type { Formats } from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import type { Calibration, CommunityRecord, Tally, Track } from '#lib/contract/answers/track.ts'
import type { Horizon } from '#lib/contract/horizons.ts'

/** A share (6 places) as times of a hundred: `0.571429` is 57. */
export const toTimes = (share: string): number => Math.round(Number(share) * 100)

type Of = Tally & { horizon: Horizon }

/** What a record comes to, for somebody who knows no statistics; `begin` says whose it is, where that is not plain. */
export function toTrackSentence(of: Of, { formatCounted }: Formats, begin = 'Right'): string {
  const { horizon, hit_rate: rate, hit_low: low, hit_high: high } = of
  if (rate === null || low === null || high === null) return toNothingYet(of, { formatCounted })
  const span = `${toTimes(low)} to ${toTimes(high)}`
  return `${begin} ${toTimes(rate)} of 100 times over ${horizon} days, and with luck taken into account ${span}: ${toVerdict(low, high)}.`
}

/** Against a coin, which is right half of the time. */
function toVerdict(low: string, high: string): string {
  if (Number(low) > 0.5) return 'better than a coin'
  return Number(high) < 0.5 ? 'worse than a coin' : 'cannot be told from a coin'
}

function toNothingYet(
  { calls, no_price, no_entry, open, hold, horizon }: Of,
  { formatCounted }: Pick<Formats, 'formatCounted'>,
): string {
  if (calls === 0) return 'Nobody had rated anything by then.'
  const why = [
    [no_price + no_entry, 'have no price'],
    [open, `are younger than ${horizon} days or wait for a price`],
    [hold, 'say hold'],
  ] as const
  const parts = why.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []))
  return `Nothing can be said of ${formatCounted(calls, 'rating')} yet: ${parts.join(', ')}.`
}

/** What prices are compared with, in words. */
export const toBenchmarkText = (benchmark: string | null): string =>
  benchmark ?? 'the mean of all symbols'

type Meaning = { horizon: Horizon; benchmark: string | null; clusters: number }

/** What right means, for whoever has never heard of a rating. */
export function toMeaningText(
  { horizon, benchmark, clusters }: Meaning,
  { formatCount }: Formats,
): string {
  const than = toBenchmarkText(benchmark)
  const right = `Right is a buy whose symbol did better than ${than} over the ${horizon} days after it, or a sell whose symbol did worse.`
  if (clusters === 0) return right
  const counted =
    clusters === 1 ? 'One separate call counts' : `${formatCount(clusters)} separate calls count`
  return `${right} ${counted}: those of one user on one symbol whose days overlap are one.`
}

/** A share in whole percent; a dash where there is none. */
export const toPercent = (share: string | null, { formatShare }: Formats): string =>
  share === null ? '–' : formatShare(toTimes(share))

/** An interval in words: `48% to 66%`; nothing where there is none. */
export const toSpan = (
  low: string | null,
  high: string | null,
  toText: (value: string) => string,
): string | null => (low === null || high === null ? null : `${toText(low)} to ${toText(high)}`)

/** Where a user stands among the ranked: of a hundred where there are more, else of as many as there are. */
export function toRankText(
  { rank, ranked }: Pick<Track, 'rank' | 'ranked'>,
  { formatCount }: Formats,
): string | null {
  if (rank === null) return null
  if (ranked === 1) return 'nobody else is ranked'
  const below = ranked - rank
  const [better, of] = ranked > 100 ? [Math.floor((100 * below) / ranked), 100] : [below, ranked]
  return `better than ${formatCount(better)} of ${formatCount(of)} ranked users`
}

/** What came of predictions, in plain words. */
export function toCalibrationText({ calls, slope, error }: Calibration, formats: Formats): string {
  if (calls === 0) return 'No call that counts has a prediction other than 0.'
  const of = formats.formatCounted(calls, 'call')
  if (error === null) return `${of} with a prediction.`
  const off = toSignedPercent(error.replace('-', ''), formats).replace('+', '')
  const level =
    Number(off.replace(/[^1-9]/g, '')) === 0
      ? 'Predictions were neither too high nor too low on average'
      : `Predictions were ${off} too ${error.startsWith('-') ? 'low' : 'high'} on average`
  const rise =
    slope === null ? '' : `; for each 1% more that was predicted, ${toRise(slope, formats)}`
  return `${level}${rise}. Of ${of}.`
}

const toRise = (slope: string, formats: Formats) =>
  `${toSignedPercent((Number(slope) / 100).toFixed(6), formats)} came`

/** How many would beat a coin by luck alone, beside how many do. */
export function toLuckText(
  { beat, expected }: CommunityRecord['luck'],
  { formatConsensus }: Formats,
): string {
  const by = `By luck alone about ${formatConsensus(expected)} would`
  if (beat === 0) return `${by}.`
  // A count of rare things strays by about its root; twice that is seldom luck.
  const isMore = beat > Number(expected) + 2 * Math.sqrt(Math.max(1, Number(expected)))
  return `${by}: ${isMore ? 'more do than luck explains.' : 'luck may explain all of them.'}`
}

/** What would have come of following the consensus, for somebody who knows no statistics. */
export function toFollowedText(
  { followed, horizon, prices }: Pick<CommunityRecord, 'followed' | 'horizon' | 'prices'>,
  formats: Formats,
): string {
  const { excess, excess_low: low, excess_high: high, hit_rate: rate } = followed
  if (excess === null || rate === null) {
    return `Whether following the consensus would have paid cannot be said yet: of no consensus it is known what came of it over ${horizon} days.`
  }
  const percent = (fraction: string) => toSignedPercent(fraction, formats)
  const than = toBenchmarkText(prices.benchmark)
  const side = excess.startsWith('-') ? 'behind' : 'ahead of'
  const begin = `Who bought what the consensus called a buy at each month’s end, and sold what it called a sell, would have been right ${toTimes(rate)} of 100 times over ${horizon} days, and ${side} ${than} by ${percent(excess.replace('-', '')).replace('+', '')} on average`
  if (low === null || high === null) return `${begin}: from too few symbols to tell it from luck.`
  return `${begin}, with luck taken into account ${percent(low)} to ${percent(high)}: ${toGainVerdict(low, high)}.`
}

function toGainVerdict(low: string, high: string): string {
  if (Number(low) > 0) return 'more than luck explains'
  return Number(high) < 0 ? 'a loss that luck does not explain' : 'cannot be told from nothing'
}

/** A close for the eye: two places, and all that there are of one below 1. */
export function toCloseText(close: string | null, formats: Formats): string {
  if (close === null) return '–'
  if (Number(close) >= 1) return formats.formatConsensus(close)
  return formats.toFieldDecimal(close.replace(/0+$/, '').replace(/\.$/, ''))
}
