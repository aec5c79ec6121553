import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { Bar, Bars } from './bars.ts'
import { isAmong } from './faded-bars.ts'
import { type AskedPrediction, toPredictionShares } from './prediction-place.ts'
import { toBounds, toMicros, withBounds } from './prediction-span.ts'

type Bins = Facets['prediction']

/** How predictions are spread, as bars that filter by two bounds; both are included. */
export function toPredictionBars(
  bins: Bins,
  asked: AskedPrediction,
  toText: (least: string, most: string) => string,
): Bars {
  const bounds = bins.map((bin, index) => toBounds(bin, index === bins.length - 1))
  const bars = bins.map((bin, index): Bar => {
    const { least, most } = bounds[index] ?? { least: bin.from, most: bin.to }
    return {
      key: bin.from,
      label: toText(least, most),
      count: bin.count,
      isOn:
        isWithin(asked, { least, most }) &&
        isAmong(asked.prediction, bin, index === bins.length - 1),
      pick: (query) =>
        query.prediction_min === least && query.prediction_max === most
          ? withBounds(query, null, null)
          : withBounds(query, least, most),
    }
  })
  return {
    bars,
    chosen: toPredictionShares(bins, asked),
    toLabel: (first, last) => toText(bounds[first]?.least ?? '', bounds[last]?.most ?? ''),
    pickSpan: (query, first, last) =>
      withBounds(
        query,
        first === 0 ? null : (bounds[first]?.least ?? null),
        last === bins.length - 1 ? null : (bounds[last]?.most ?? null),
      ),
  }
}

/** Do the bounds leave anything of a bin? */
function isWithin(asked: AskedPrediction, { least, most }: { least: string; most: string }) {
  const [from, to] = [toMicros(least), toMicros(most)]
  const passes = (bound: string | null, test: (micros: bigint) => boolean) =>
    bound === null || test(toMicros(bound))
  return (
    passes(asked.prediction_min, (low) => to >= low) &&
    passes(asked.prediction_above, (low) => to > low) &&
    passes(asked.prediction_max, (high) => from <= high) &&
    passes(asked.prediction_below, (high) => from < high)
  )
}
