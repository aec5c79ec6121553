'use client'

import { memo, useMemo } from 'react'
import { SpanControl } from '#components/list/span-control.tsx'
import type { SpanModel } from '#components/list/span-selection.ts'
import { TimeTicks } from '#components/list/time-ticks.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import type { QueryProps } from '#lib/contract/ratings-view.ts'
import { type PostedSpan, toBarsModel, toPostedBars, toSpanEnds, withSpan } from './filter-bars.ts'
import { isInPeriods, toFaded } from './histogram.ts'
import { asSpan } from './posted-range.ts'

const BARS_PX = 46

type TimelineProps = QueryProps & {
  facets: Facets | undefined
  isBlank: boolean
}

export const Timeline = memo(function Timeline(props: TimelineProps) {
  const { query, change, facets, isBlank } = props
  const zone = useZone()
  const span = useMemo(() => {
    const { from, to, created } = asSpan(query)
    return { from, to, created, zone }
  }, [query, zone])
  const bins = facets?.created
  const isEmpty = bins?.every(({ count }) => count === 0) ?? false
  return (
    <figure className="h-[86px] shrink-0 rounded-lg border bg-surface px-4 pt-2.5">
      <figcaption className="sr-only">
        Ratings posted over time, stacked by what they say. Drag over the bars to choose a range.
        Drag an end to move it; hold Shift to move both.
      </figcaption>
      {!bins && !isBlank && <Skeleton height={BARS_PX} />}
      {bins && isEmpty && (
        <p className="pt-5 text-center text-ink-3">No rating passes the other filters</p>
      )}
      {bins && facets && !isEmpty && (
        <TimelineBars bins={bins} codes={facets.rating} span={span} change={change} />
      )}
    </figure>
  )
})

type TimelineBarsProps = Pick<QueryProps, 'change'> & {
  bins: Facets['created']
  codes: Facets['rating']
  span: PostedSpan
}

const TimelineBars = memo(function TimelineBars(props: TimelineBarsProps) {
  const { bins, codes, span, change } = props
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
    () => ({ name: 'Posted over time, pick a range', bars: drawn.bars }),
    [drawn],
  )
  const bars = useMemo(() => toFaded(bins, span.created, isInPeriods), [bins, span.created])
  return (
    <>
      <SpanControl
        bars={bars}
        list={list}
        model={model}
        heightPx={BARS_PX}
        ends="lines"
        className="touch-pan-y"
      />
      <TimeTicks from={bins.at(0)?.from ?? 0} to={bins.at(-1)?.to ?? 1} />
    </>
  )
})
