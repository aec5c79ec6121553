'use client'

import { memo, type RefObject, useMemo } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import type { Bars } from './bars.ts'
import { toBarsModel } from './bars-model.ts'
import { toCreatedBars } from './created-bars.ts'
import type { HeaderBins } from './header-bins.ts'
import { toPredictionBars } from './prediction-bars.ts'
import type { ChangeQuery } from './query-change.ts'
import { toRatingBars } from './rating-bars.ts'
import { SpanControl } from './span-control.tsx'

export type HeaderControlProps = {
  track: RefObject<HTMLDivElement | null>
  header: HeaderBins
  change: ChangeQuery
}

/** What the bars of a header do. They are for the pointer alone: the filters beside them do the same. */
export const HeaderControl = memo(function HeaderControl(props: HeaderControlProps) {
  const { track, header, change } = props
  const { formatPrediction } = useFormats()
  const model = useMemo(
    () => toBarsModel(toBars(header, formatPrediction), change),
    [header, change, formatPrediction],
  )
  return <SpanControl track={track} model={model} />
})

function toBars(header: HeaderBins, toText: (prediction: string) => string): Bars {
  if (header.column === 'rating') return toRatingBars(header.bins, header.asked)
  if (header.column === 'created_at') return toCreatedBars(header.bins, header.asked)
  return toPredictionBars(
    header.bins,
    header.asked,
    (least, most) => `${toText(least)} to ${toText(most)}`,
  )
}
