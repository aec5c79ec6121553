import { formatPrediction } from '#components/format/numbers.ts'
import { toCodeRows } from '#components/list/facet-list.tsx'
import type { StackBar } from '#components/list/histogram-bars.tsx'
import { ratingStyle } from '#components/marks/rating-marks.tsx'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { RATING_LABELS, ratingLabel } from '#lib/contract/rating-fields.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import {
  type Bars,
  type PostedSpan,
  toPostedBars,
  toPredictionBars,
  toRatingBars,
} from './filter-bars.ts'
import {
  isAmong,
  isInPeriods,
  type PredictionBounds,
  toFaded,
  toPredictionBounds,
} from './histogram.ts'

export type HeaderBins =
  | { column: 'rating'; bins: Facets['rating']; asked: RatingsView['rating'] }
  | { column: 'prediction'; bins: Facets['prediction']; asked: PredictionBounds }
  | {
      column: 'created_at'
      bins: { from: number; to: number; count: number }[]
      asked: PostedSpan
    }

const MOST_BARS = 28

type BinsContext = { facets: Facets; zone: string }

export function toHeaderBins(
  column: string,
  view: RatingsView,
  { facets, zone }: BinsContext,
): HeaderBins | null {
  switch (column) {
    case 'rating':
      return { column, bins: facets.rating, asked: view.rating }
    case 'prediction': {
      if (selectSoleValue(facets.prediction) !== null) return null
      const bins = toMerged(facets.prediction, MOST_BARS)
      return { column, bins, asked: toPredictionBounds(view) }
    }
    case 'created_at': {
      const { from, to, created } = view
      const plain = facets.created.map(({ from, to, count }) => ({ from, to, count }))
      return { column, bins: toMerged(plain, MOST_BARS), asked: { from, to, created, zone } }
    }
    default:
      return null
  }
}

export function selectSoleValue(bins: Facets['prediction']): string | null {
  const [first] = bins
  return first && bins.length === 1 && first.from === first.to ? first.from : null
}

export function toHeaderBars(header: HeaderBins): Bars {
  if (header.column === 'rating') return toRatingBars(header.bins, header.asked)
  if (header.column === 'created_at') return toPostedBars(header.bins, header.asked)
  return toPredictionBars(
    header.bins,
    header.asked,
    (least, most) => `${formatPrediction(least)} to ${formatPrediction(most)}`,
  )
}

export function toHeaderStack(header: HeaderBins): readonly StackBar[] {
  if (header.column === 'prediction') return toFaded(header.bins, header.asked.prediction, isAmong)
  if (header.column === 'created_at') return toFaded(header.bins, header.asked.created, isInPeriods)
  const { bins, asked } = header
  const rows = toCodeRows({
    known: RATING_LABELS,
    counted: bins,
    chosen: asked,
    toLabel: ratingLabel,
  })
  return rows.map(({ value, count, isOn, isNot }) => ({
    count: count ?? 0,
    fill: ratingStyle(value).fill,
    isFaded: asked.only.length === 0 ? isNot : !isOn,
  }))
}

export function toMerged<B extends { to: unknown; count: number }>(
  bins: readonly B[],
  most: number,
): B[] {
  const size = Math.ceil(bins.length / most)
  if (size <= 1) return [...bins]
  const merged: B[] = []
  for (let at = 0; at < bins.length; at += size) {
    const [first, ...rest] = bins.slice(at, at + size)
    if (!first) continue
    const count = rest.reduce((sum, bin) => sum + bin.count, first.count)
    merged.push({ ...first, to: rest.at(-1)?.to ?? first.to, count })
  }
  return merged
}
