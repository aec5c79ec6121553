import type { Formats } from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import type { Followed } from '#lib/contract/answers/prices.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

export function toFollowedSentence(followed: Followed, formats: Formats): string {
  const { horizon, scored, windows, slope, slope_low: low, slope_high: high } = followed
  const symbol = toVisibleText(followed.symbol)
  if (scored === 0) {
    return `No month of ${symbol} is complete enough to compare its price with its consensus.`
  }
  const { formatCounted } = formats
  const known = `${formatCounted(scored, 'month')} ${scored === 1 ? 'is' : 'are'} known`
  if (low === null || high === null || slope === null) {
    const why =
      slope === null && windows >= 5
        ? 'its consensus hardly moved'
        : `too few, since ${horizon} days of one month overlap the next`
    return `Too little data to say whether the price of ${symbol} followed its consensus: ${known}, ${why}.`
  }
  const span = `${toPoints(low, formats)} to ${toPoints(high, formats)}`
  const step = 'a consensus 0.1 higher'
  if (Number(low) > 0) {
    return `The better the consensus on ${symbol}, the better its price did over the next ${horizon} days: ${step} went with ${span} percentage points more than the others.`
  }
  if (Number(high) < 0) {
    return `The better the consensus on ${symbol}, the worse its price did over the next ${horizon} days: ${step} went with ${span} percentage points compared with the others.`
  }
  return `A better consensus on ${symbol} was not followed by a significantly better price over the next ${horizon} days: the effect of ${step} is ${span} percentage points.`
}

/** From a fraction per rating point to percentage points per tenth: `0.512` is `+5.12`. */
function toPoints(fraction: string, { formatMeanPrediction }: Formats): string {
  return formatMeanPrediction((Number(fraction) * 10).toFixed(4)).replace('%', '')
}

export function toFollowedFacts(followed: Followed, formats: Formats): string {
  const { scored, windows, mean, mean_low: low, mean_high: high, prices } = followed
  const { formatCount, formatCounted } = formats
  const percent = (fraction: string | null) => toSignedPercent(fraction, formats)
  const n = `n = ${formatCounted(scored, 'month')}, of which ${formatCount(windows)} do not overlap; only those count for the 95% intervals.`
  const against = prices.benchmark ?? 'mean of all symbols'
  const after = `After an average month it was ${percent(mean)} against the ${against}`
  return `${n} ${after}${low === null ? '' : ` (${percent(low)} to ${percent(high)})`}.`
}
