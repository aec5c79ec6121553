'use client'

import { useMemo, useRef } from 'react'
import { formatDay } from '#components/format/instants.ts'
import type { ReadBar } from '#components/ratings/filters/filter-bars.ts'
import { toSharesOf } from '#components/ratings/filters/histogram.ts'
import { SpanBars } from '#components/ratings/filters/histogram-bars.tsx'
import { SpanControl } from '#components/ratings/filters/span-control.tsx'
import { type SpanModel, toEdgeShares } from '#components/ratings/filters/span-selection.ts'
import { TimeTicks } from '#components/ratings/filters/timeline.tsx'
import type { LookupFacets } from '#lib/contract/answers/lookups.ts'
import type { LookupsView } from './use-lookups.ts'

const BARS_PX = 46

type Bins = LookupFacets['created']
type TimelineProps = Pick<LookupsView, 'query' | 'change'> & { bins: Bins }

/** When it was that people asked, of all that passes the other filters; a span of it can be chosen. */
export function LookupsTimeline({ bins, query, change }: TimelineProps) {
  const track = useRef<HTMLDivElement>(null)
  const { from, to } = query
  const [begin, end] = [bins.at(0)?.from ?? 0, bins.at(-1)?.to ?? 1]
  const model = useMemo(() => toModel(bins, { from, to }, change), [bins, from, to, change])
  const list = useMemo(() => toList(bins, { from, to }), [bins, from, to])
  const bars = useMemo(() => bins.map(({ count }) => ({ count, fill: 'fill-accent' })), [bins])
  return (
    <figure className="h-[86px] shrink-0 rounded-lg border bg-surface px-4 pt-2.5">
      <figcaption className="sr-only">
        Look-ups over time. Drag over the bars to choose a range. Drag an end to move it.
      </figcaption>
      <SpanBars
        bars={bars}
        chosen={model.chosen}
        className="touch-pan-y"
        ends="lines"
        heightPx={BARS_PX}
        track={track}
      >
        <SpanControl
          list={{ name: 'Looked up over time, pick a range', bars: list, heightPx: BARS_PX }}
          model={model}
          track={track}
        />
      </SpanBars>
      <TimeTicks from={begin} to={end} />
    </figure>
  )
}

type Span = { from: number | null; to: number | null }
type ChangeSpan = (span: Span) => void

const toLabel = (bins: Bins, first: number, last: number) => {
  const days = [formatDay(bins[first]?.from ?? 0), formatDay((bins[last]?.to ?? 1) - 1)]
  return [...new Set(days)].join(' to ')
}

/** From the first edge on, or up to the last one, is without a bound. */
const toSpan = (bins: Bins, first: number, last: number): Span => ({
  from: first === 0 ? null : (bins[first]?.from ?? null),
  to: last === bins.length - 1 ? null : (bins[last]?.to ?? null),
})

function toModel(bins: Bins, span: Span, change: ChangeSpan): SpanModel {
  const [begin, end] = [bins.at(0)?.from ?? 0, bins.at(-1)?.to ?? 1]
  const edge = (stop: number) => (stop < bins.length ? (bins[stop]?.from ?? end) : end)
  return {
    bars: bins.length,
    chosen: toSharesOf([span.from, span.to], [begin, end]),
    tell: (first, last) => ({
      title: toLabel(bins, first, last),
      count: bins.slice(first, last + 1).reduce((sum, { count }) => sum + count, 0),
      note: 'Counted by UTC day',
    }),
    pickBar: (index) => change(toPicked(bins, index, span)),
    pickBars: (first, last) => change(toSpan(bins, first, last)),
    clear: () => change({ from: null, to: null }),
    ends: {
      names: { begin: 'Looked up from', end: 'Looked up to' },
      stops: toEdgeShares(bins.length),
      canMeet: false,
      texts: { begin: formatDay(span.from ?? begin), end: formatDay((span.to ?? end) - 1) },
      toText: (which, stop) => formatDay(which === 'begin' ? edge(stop) : edge(stop) - 1),
      moveTo: ({ begin: first, end: last }) => change(toSpan(bins, first, last - 1)),
    },
  }
}

/** One bar alone, or all again where it was alone. */
function toPicked(bins: Bins, index: number, span: Span): Span {
  const picked = { from: bins[index]?.from ?? null, to: bins[index]?.to ?? null }
  const isOnly = picked.from === span.from && picked.to === span.to
  return isOnly ? { from: null, to: null } : picked
}

/** The bars for the keyboard. */
const toList = (bins: Bins, { from, to }: Span): ReadBar[] =>
  bins.map((bin, index) => ({
    key: String(bin.from),
    label: toLabel(bins, index, index),
    count: bin.count,
    isOn: (from === null || bin.to > from) && (to === null || bin.from < to),
  }))
