import type { Formats } from '#components/format/numbers.ts'
import type { Track } from '#lib/contract/answers/track.ts'

/** A share (6 places) as times of a hundred: `0.571429` is 57. */
export const toTimes = (share: string): number => Math.round(Number(share) * 100)

/** What a track record comes to, for somebody who knows no statistics. */
export function toTrackSentence(track: Track, { formatCount, formatCounted }: Formats): string {
  const { horizon, hit_rate: rate, hit_low: low, hit_high: high, clusters } = track
  if (rate === null || low === null || high === null) return toNothingYet(track, { formatCounted })
  const span = `${toTimes(low)} to ${toTimes(high)}`
  const calls = clusters === 1 ? 'one separate call' : `${formatCount(clusters)} separate calls`
  return `Right ${toTimes(rate)} of 100 times over ${horizon} days, and with luck taken into account ${span}: ${toVerdict(low, high)}. From ${calls}.`
}

/** Against a coin, which is right half of the time. */
function toVerdict(low: string, high: string): string {
  if (Number(low) > 0.5) return 'better than a coin'
  return Number(high) < 0.5 ? 'worse than a coin' : 'cannot be told from a coin'
}

function toNothingYet(
  { calls, no_price, no_entry, open, hold, horizon }: Track,
  { formatCounted }: Pick<Formats, 'formatCounted'>,
): string {
  const why = [
    [no_price + no_entry, 'have no price'],
    [open, `are younger than ${horizon} days or wait for a price`],
    [hold, 'say hold'],
  ] as const
  const parts = why.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []))
  return `Nothing can be said of ${formatCounted(calls, 'rating')} yet: ${parts.join(', ')}.`
}

/** A fraction as percent with its sign, two places: `0.011847` is `+1.18%`. A dash where there is none. */
export function toSignedPercent(
  fraction: string | null,
  { formatMeanPrediction }: Formats,
): string {
  if (fraction === null) return '–'
  return formatMeanPrediction((Number(fraction) * 100).toFixed(4))
}
