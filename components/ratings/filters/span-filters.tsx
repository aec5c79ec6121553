'use client'

import { memo, type RefObject, useMemo } from 'react'
import { formatPrediction } from '#components/format/numbers.ts'
import { SpanControl } from '#components/list/span-control.tsx'
import type { SpanModel } from '#components/list/span-selection.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import type { ChangeQuery, QueryProps } from '#lib/contract/ratings-view.ts'
import type { HeaderBins } from './column-histogram.ts'
import {
  type Bars,
  type PostedSpan,
  toBarsModel,
  toPostedBars,
  toPredictionBars,
  toPredictionEnds,
  toRatingBars,
  toSpanEnds,
  withSpan,
} from './filter-bars.ts'
import type { PredictionBounds } from './histogram.ts'
import { withBounds } from './prediction-range.ts'

type TimelineControlProps = Pick<QueryProps, 'change'> & {
  track: RefObject<HTMLDivElement | null>
  bins: Facets['created']
  codes: Facets['rating']
  span: PostedSpan
  heightPx: number
}

export const TimelineControl = memo(function TimelineControl(props: TimelineControlProps) {
  const { track, bins, codes, span, change, heightPx } = props
  const drawn = useMemo(() => {
    const labels = new Map(codes.map(({ value, label }) => [value, label]))
    return toPostedBars(bins, span, (code) => labels.get(code) ?? ratingLabel(code))
  }, [bins, codes, span])
  const model = useMemo((): SpanModel => {
    const { tell, ...rest } = toBarsModel(drawn, change)
    const note = drawn.isShifted ? 'Counted by UTC day' : undefined
    return {
      ...rest,
      tell: (first, last) => ({ ...tell(first, last), note }),
      clear: () => change((view) => withSpan(view, null, null)),
      ends: toSpanEnds(drawn, span, change),
    }
  }, [drawn, span, change])
  const list = useMemo(
    () => ({ name: 'Posted over time, pick a range', bars: drawn.bars, heightPx }),
    [drawn, heightPx],
  )
  return <SpanControl track={track} model={model} list={list} />
})

type PredictionControlProps = {
  track: RefObject<HTMLDivElement | null>
  bins: Facets['prediction']
  asked: PredictionBounds
  change: ChangeQuery
  heightPx: number
}

export const PredictionControl = memo(function PredictionControl(props: PredictionControlProps) {
  const { track, bins, asked, change, heightPx } = props
  const drawn = useMemo(() => {
    const toText = (least: string, most: string) =>
      `${formatPrediction(least)} to ${formatPrediction(most)}`
    return toPredictionBars(bins, asked, toText)
  }, [bins, asked])
  const model = useMemo(
    () => ({
      ...toBarsModel(drawn, change),
      clear: () => change((view) => withBounds(view, null, null)),
      ends: toPredictionEnds(bins, { asked, change, toText: formatPrediction }),
    }),
    [drawn, bins, asked, change],
  )
  const list = useMemo(
    () => ({ name: 'Predicted, pick a range', bars: drawn.bars, heightPx }),
    [drawn, heightPx],
  )
  return <SpanControl track={track} model={model} list={list} look="knobs" />
})

type HeaderControlProps = {
  track: RefObject<HTMLDivElement | null>
  header: HeaderBins
  change: ChangeQuery
}

export const HeaderControl = memo(function HeaderControl(props: HeaderControlProps) {
  const { track, header, change } = props
  const model = useMemo(
    () => toBarsModel(toBars(header, formatPrediction), change),
    [header, change],
  )
  return <SpanControl track={track} model={model} />
})

function toBars(header: HeaderBins, toText: (prediction: string) => string): Bars {
  if (header.column === 'rating') return toRatingBars(header.bins, header.asked)
  if (header.column === 'created_at') return toPostedBars(header.bins, header.asked)
  return toPredictionBars(
    header.bins,
    header.asked,
    (least, most) => `${toText(least)} to ${toText(most)}`,
  )
}
