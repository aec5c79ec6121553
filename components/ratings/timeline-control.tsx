'use client'

import { memo, type RefObject, useMemo } from 'react'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { ratingLabel } from '#lib/contract/rating-codes.ts'
import { toBarsModel } from './bars-model.ts'
import { toCreatedBars, withSpan } from './created-bars.ts'
import type { QueryProps } from './query-change.ts'
import { SpanControl } from './span-control.tsx'
import type { SpanModel } from './span-model.ts'
import { toSpanEnds } from './timeline-ends.ts'

export type TimelineControlProps = Pick<QueryProps, 'change'> & {
  track: RefObject<HTMLDivElement | null>
  bins: Facets['created']
  codes: Facets['rating']
  span: Pick<QueryProps['query'], 'from' | 'to' | 'tz' | 'created'>
  heightPx: number
}

/** What chooses a span of the timeline. */
export const TimelineControl = memo(function TimelineControl(props: TimelineControlProps) {
  const { track, bins, codes, span, change, heightPx } = props
  const drawn = useMemo(() => {
    const labels = new Map(codes.map(({ value, label }) => [value, label]))
    return toCreatedBars(bins, span, (code) => labels.get(code) ?? ratingLabel(code))
  }, [bins, codes, span])
  const model = useMemo((): SpanModel => {
    const { tell, ...rest } = toBarsModel(drawn, change)
    const note = drawn.isShifted ? 'Counted by days of UTC' : undefined
    return {
      ...rest,
      tell: (first, last) => ({ ...tell(first, last), note }),
      clear: () => change((view) => withSpan(view, null, null)),
      ends: toSpanEnds(drawn, span, change),
    }
  }, [drawn, span, change])
  const list = useMemo(
    () => ({ name: 'Posted over time, pick a span', bars: drawn.bars, heightPx }),
    [drawn, heightPx],
  )
  return <SpanControl track={track} model={model} list={list} />
})
