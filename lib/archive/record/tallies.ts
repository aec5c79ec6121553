import type { Calibration, Tally } from '#lib/contract/answers/track.ts'
import { toStudent, toWilson } from '#lib/statistics/chance.ts'
import type { PredictedCalls } from './call-columns.ts'
import { type CallGains, type Group, NO_CALLS, type Survey, type Totals } from './survey.ts'

export function toTally(group: Group): Tally {
  const [scored = 0, open = 0, hold = 0, no_price = 0, no_entry = 0, jump = 0] = group.outcomes
  const calls = scored + open + hold + no_price + no_entry + jump
  return { calls, scored, open, hold, no_price, no_entry, jump, ...toRates(group) }
}

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

/** Independent of summation order. */
const DIGITS = 12

/** 6 places; zero has no sign. Null if not finite. */
export function toDecimal(value: number | null | undefined): string | null {
  if (value == null || !Number.isFinite(value)) return null
  const text = Number(value.toPrecision(DIGITS)).toFixed(6)
  return /[1-9]/.test(text) ? text : text.replace('-', '')
}

const GROUPS = 10

/** Ties by id; the first groups get the remainder. Excludes predictions of 0. */
export function toCalibration(
  calls: PredictedCalls,
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

type Bin = {
  calls: number
  high: number
  low: number
  gains: number
  spread: number
  squares: number
  shared: number
  /** Exclusive. */
  to: number
}

function sumCalls(
  { high, low }: Pick<PredictedCalls, 'high' | 'low'>,
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
    // Predictions are percentages, gains are fractions.
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

const toPrediction = ({ high, low, calls }: Bin): number =>
  Number(BigInt(high) * 1_000_000_000n + BigInt(low)) / 1e8 / calls

export const NO_TALLY: Tally = toTally(NO_CALLS)
