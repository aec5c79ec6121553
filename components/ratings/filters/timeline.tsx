'use client'

import { memo, useMemo, useRef } from 'react'
import { SpanBars } from '#components/list/histogram-bars.tsx'
import { toSharesOf } from '#components/list/shares.ts'
import { TimeTicks } from '#components/list/time-ticks.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { useLater } from '#components/ui/use-later.ts'
import { useSame } from '#components/ui/use-same.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { QueryProps } from '#lib/contract/ratings-view.ts'
import type { PostedSpan } from './filter-bars.ts'
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
  const { from, to, created } = asSpan(query)
  const span = useSame({ from, to, created, zone })
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

const loadControl = async () => (await import('./span-filters.tsx')).TimelineControl

const TimelineBars = memo(function TimelineBars(props: TimelineBarsProps) {
  const { bins, span } = props
  const track = useRef<HTMLDivElement>(null)
  const Control = useLater(track, loadControl)
  const bars = useMemo(() => toFaded(bins, span.created, isInPeriods), [bins, span.created])
  const [begin, end] = [bins.at(0)?.from ?? 0, bins.at(-1)?.to ?? 1]
  return (
    <>
      <SpanBars
        track={track}
        bars={bars}
        chosen={toSharesOf([span.from, span.to], [begin, end])}
        heightPx={BARS_PX}
        ends="lines"
        className="touch-pan-y"
      >
        {Control && <Control {...props} track={track} heightPx={BARS_PX} />}
      </SpanBars>
      <TimeTicks from={begin} to={end} />
    </>
  )
})
