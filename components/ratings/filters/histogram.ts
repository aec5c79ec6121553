import { type Shares, toSharesOf } from '#components/list/shares.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { parsePeriod, type Span } from '#lib/contract/instant-text.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type Chosen, isAny } from '#lib/contract/value-list.ts'
import { isInBin } from './prediction-range.ts'

export type PredictionBounds = ReturnType<typeof toPredictionBounds>

export const toPredictionBounds = (query: RatingsQuery) => ({
  prediction: query.prediction,
  prediction_min: query.prediction_min,
  prediction_max: query.prediction_max,
  prediction_above: query.prediction_above,
  prediction_below: query.prediction_below,
})

/** For display only: converts decimals to floats. */
export function toPredictionShares(bins: Facets['prediction'], asked: PredictionBounds): Shares {
  const edges = bins.map(({ from }) => Number(from))
  const [first = 0, second, third] = edges
  const most = Number(bins.at(-1)?.to ?? first)
  const isEven = second !== undefined && third !== undefined
  const width = isEven ? third - second : 0
  const bound = (text: string | null) => (text === null ? null : Number(text))
  return toSharesOf(
    [
      bound(asked.prediction_min ?? asked.prediction_above),
      bound(asked.prediction_max ?? asked.prediction_below),
    ],
    isEven ? [second - width, (edges.at(-1) ?? most) + width] : [first, most],
  )
}

export function isInPeriods({ only, not }: Chosen<string>, span: Span): boolean {
  const spans = (periods: readonly string[]) => periods.flatMap((text) => parsePeriod(text) ?? [])
  const meets = (other: Span) => other.from < span.to && other.to > span.from
  const covers = (other: Span) => other.from <= span.from && other.to >= span.to
  return (only.length === 0 || spans(only).some(meets)) && !spans(not).some(covers)
}

export const isAmong = (
  { only }: Chosen<string>,
  bin: Facets['prediction'][number],
  isLast: boolean,
): boolean => only.length === 0 || only.some((value) => isInBin(bin, value, isLast))

export function toFaded<B, T>(
  bins: readonly B[],
  chosen: Chosen<T>,
  isLeft: (chosen: Chosen<T>, bin: B, isLast: boolean) => boolean,
): readonly (B | (B & { isFaded: boolean }))[] {
  if (isAny(chosen)) return bins
  return bins.map((bin, index) => ({
    ...bin,
    isFaded: !isLeft(chosen, bin, index === bins.length - 1),
  }))
}
