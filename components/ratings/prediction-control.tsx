'use client'

import { memo, type RefObject, useMemo } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { toBarsModel } from './bars-model.ts'
import { toPredictionBars } from './prediction-bars.ts'
import { toPredictionEnds } from './prediction-ends.ts'
import type { AskedPrediction } from './prediction-place.ts'
import { withBounds } from './prediction-span.ts'
import type { ChangeQuery } from './query-change.ts'
import { SpanControl } from './span-control.tsx'

export type PredictionControlProps = {
  track: RefObject<HTMLDivElement | null>
  bins: Facets['prediction']
  asked: AskedPrediction
  change: ChangeQuery
  heightPx: number
}

/** What chooses a range of predictions: two thumbs, and the bars above them. */
export const PredictionControl = memo(function PredictionControl(props: PredictionControlProps) {
  const { track, bins, asked, change, heightPx } = props
  const { formatPrediction } = useFormats()
  const drawn = useMemo(() => {
    const toText = (least: string, most: string) =>
      `${formatPrediction(least)} to ${formatPrediction(most)}`
    return toPredictionBars(bins, asked, toText)
  }, [bins, asked, formatPrediction])
  const model = useMemo(
    () => ({
      ...toBarsModel(drawn, change),
      clear: () => change((view) => withBounds(view, null, null)),
      ends: toPredictionEnds(bins, { asked, change, toText: formatPrediction }),
    }),
    [drawn, bins, asked, change, formatPrediction],
  )
  const list = useMemo(
    () => ({ name: 'Predicted, pick a span', bars: drawn.bars, heightPx }),
    [drawn, heightPx],
  )
  return <SpanControl track={track} model={model} list={list} look="knobs" />
})
