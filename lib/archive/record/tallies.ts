import type { Calibration, Tally } from '#lib/contract/answers/track.ts'
import { toStudent } from '#lib/statistics/chance.ts'
import { toWilson } from '#lib/statistics/wilson.ts'
import type { Calls } from './call-columns.ts'
import { type CallGains, type Group, NO_CALLS, type Survey, type Totals } from './survey.ts'

/** What can be said of a group of calls. */
export function toTally(group: Group): Tally {
  const [scored = 0, open = 0, hold = 0, no_price = 0, no_entry = 0] = group.outcomes
  const calls = scored + open + hold + no_price + no_entry
  return { calls, scored, open, hold, no_price, no_entry, ...toRates(group) }
}

/** How often clusters hit and by how much they were ahead, each with its interval. */
export function toRates({ clusters, hits, sum, squares }: Totals) {
  const rate = toWilson(hits, clusters)
  const mean = sum / clusters
  const spread = toStudent({ n: clusters, mean, squares })
  return {
    clusters,
    hit_rate: toDecimal(hits / clusters),
    hit_low: toDecimal(rate?.low),
    hit_high: toDecimal(rate?.high),
    excess: toDecimal(mean),
    excess_low: toDecimal(spread?.low),
    excess_high: toDecimal(spread?.high),
  }
}

/** A sum of doubles has no more digits than these that do not depend on the order in which it was summed up. */
const DIGITS = 12

/** A number as decimal text of 6 places; null of none. Zero has no sign. */
export function toDecimal(value: number | null | undefined): string | null {
  if (value == null || !Number.isFinite(value)) return null
  const text = Number(value.toPrecision(DIGITS)).toFixed(6)
  return /[1-9]/.test(text) ? text : text.replace('-', '')
}

const GROUPS = 10

/**
 * Predictions against what came, over the scored calls with a prediction other than 0: in ten equal groups by prediction, of equal ones
 * by id, of which the first have one call more where they do not go up.
 */
export function toCalibration(
  calls: Calls,
  { own, scored }: Pick<Survey, 'own' | 'scored'>,
): Calibration {
  const whole = sumCalls(calls, scored, { from: 0, most: scored.places.length })
  const bins: Bin[] = []
  for (let index = 0, from = 0; index < Math.min(GROUPS, whole.calls); index += 1) {
    const most = Math.floor(whole.calls / GROUPS) + (index < whole.calls % GROUPS ? 1 : 0)
    const bin = sumCalls(calls, scored, { from, most })
    bins.push(bin)
    from = bin.to
  }
  return {
    calls: whole.calls,
    zero: (own.outcomes[0] ?? 0) - whole.calls,
    error: toDecimal(toPrediction(whole) - whole.gains / whole.calls),
    slope: toDecimal(whole.spread > 0 ? whole.shared / whole.spread : null),
    groups: bins.map((bin) => {
      const mean = bin.gains / bin.calls
      const spread = toStudent({ n: bin.calls, mean, squares: bin.squares }, 2)
      return {
        calls: bin.calls,
        prediction: toDecimal(toPrediction(bin)) ?? '',
        return: toDecimal(mean) ?? '',
        return_low: toDecimal(spread?.low),
        return_high: toDecimal(spread?.high),
      }
    }),
  }
}

/** Sums over calls; `spread`, `squares` and `shared` are of the distances from the means of predictions, of gains, and of both. */
type Bin = {
  calls: number
  high: number
  low: number
  gains: number
  spread: number
  squares: number
  shared: number
  /** The index after the last. */
  to: number
}

/** Sums up at most `most` scored calls with a prediction other than 0, beginning with the one at `from`. */
function sumCalls(
  { high, low }: Pick<Calls, 'high' | 'low'>,
  scored: CallGains,
  { from, most }: { from: number; most: number },
): Bin {
  let [calls, highs, lows, sum] = [0, 0, 0, 0]
  let [meanPrediction, meanGain, spread, squares, shared] = [0, 0, 0, 0, 0]
  let index = from
  for (; index < scored.places.length && calls < most; index += 1) {
    const place = scored.places[index] ?? 0
    const gain = scored.gains[index] ?? 0
    const [more, less] = [high[place] ?? 0, low[place] ?? 0]
    if (more === 0 && less === 0) continue
    calls += 1
    highs += more
    lows += less
    sum += gain
    // Predictions are in percent, gains are shares.
    const said = (more * 1e9 + less) / 1e8
    const [prediction, distance] = [said - meanPrediction, gain - meanGain]
    meanPrediction += prediction / calls
    meanGain += distance / calls
    spread += prediction * (said - meanPrediction)
    squares += distance * (gain - meanGain)
    shared += prediction * (gain - meanGain)
  }
  return { calls, high: highs, low: lows, gains: sum, spread, squares, shared, to: index }
}

/** The mean as a share. The sums of both parts are exact, so that large ones that cancel each other out leave nothing behind. */
const toPrediction = ({ high, low, calls }: Bin): number =>
  Number(BigInt(high) * 1_000_000_000n + BigInt(low)) / 1e8 / calls

/** What can be said of no call. */
export const NO_TALLY: Tally = toTally(NO_CALLS)
