import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { AskedPrediction } from './prediction-place.ts'
import { toPredictionScale, toPredictionStops } from './prediction-scale.ts'
import { withBounds, withLeastPrediction, withMostPrediction } from './prediction-span.ts'
import type { ChangeQuery } from './query-change.ts'
import type { SpanEnd } from './span-drag.ts'
import type { SpanEnds } from './span-model.ts'

type Ends = { asked: AskedPrediction; change: ChangeQuery; toText: (prediction: string) => string }

/** The two bounds as a slider: they stand at round predictions, and at either end of it bound nothing. */
export function toPredictionEnds(
  bins: Facets['prediction'],
  { asked, change, toText }: Ends,
): SpanEnds {
  const stops = toPredictionStops(toPredictionScale(bins))
  const toBound = (stop: number) => stops[stop]?.bound ?? null
  const write = (end: SpanEnd, bound: string | null) =>
    bound === null ? NO_BOUND[end] : toText(bound)
  const { prediction_above: above, prediction_below: below } = asked
  return {
    names: { begin: 'Lowest prediction', end: 'Highest prediction' },
    stops: stops.map(({ share }) => share),
    canMeet: true,
    texts: {
      begin: above === null ? write('begin', asked.prediction_min) : `above ${toText(above)}`,
      end: below === null ? write('end', asked.prediction_max) : `below ${toText(below)}`,
    },
    toText: (end, stop) => write(end, toBound(stop)),
    moveTo: ({ begin, end, moved }) =>
      change((view) => {
        if (moved === 'both') return withBounds(view, toBound(begin), toBound(end))
        return moved === 'begin'
          ? withLeastPrediction(view, toBound(begin))
          : withMostPrediction(view, toBound(end))
      }),
  }
}

const NO_BOUND = { begin: 'no lower bound', end: 'no upper bound' }
