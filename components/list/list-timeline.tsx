'use client'

import { useMemo } from 'react'
import { formatDay } from '#components/format/instants.ts'
import { toSharesOf } from './shares.ts'
import { SpanControl } from './span-control.tsx'
import { type ReadBar, type SpanModel, toEdgeShares } from './span-selection.ts'
import { TimeTicks } from './time-ticks.tsx'

const BARS_PX = 46

/** Seconds since 1970; `to` is exclusive. */
type Bins = readonly { from: number; to: number; count: number }[]

type TimelineProps = {
  name: string
  /** One row, such as “look-up”. */
  one: string
  label: string
  bins: Bins
  from: number | null
  to: number | null
  change: (span: Span) => void
}

export function ListTimeline({ name, one, label, bins, from, to, change }: TimelineProps) {
  const [begin, end] = [bins.at(0)?.from ?? 0, bins.at(-1)?.to ?? 1]
  const model = useMemo(
    () => toModel({ label, one }, bins, { from, to }, change),
    [label, one, bins, from, to, change],
  )
  const list = useMemo(
    () => ({ name: `${label} over time, pick a range`, bars: toList(bins, { from, to }) }),
    [label, bins, from, to],
  )
  const bars = useMemo(() => bins.map(({ count }) => ({ count, fill: 'fill-accent' })), [bins])
  return (
    <figure className="h-[86px] shrink-0 rounded-lg border bg-surface px-4 pt-2.5">
      <figcaption className="sr-only">
        {name} over time. Drag over the bars to choose a range. Drag an end to move it.
      </figcaption>
      <SpanControl
        bars={bars}
        className="touch-pan-y"
        ends="lines"
        heightPx={BARS_PX}
        list={list}
        model={model}
      />
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

/** The outermost edges set no bound. */
const toSpan = (bins: Bins, first: number, last: number): Span => ({
  from: first === 0 ? null : (bins[first]?.from ?? null),
  to: last === bins.length - 1 ? null : (bins[last]?.to ?? null),
})

type TimelineLabels = { label: string; one: string }

function toModel(
  { label, one }: TimelineLabels,
  bins: Bins,
  span: Span,
  change: ChangeSpan,
): SpanModel {
  const [begin, end] = [bins.at(0)?.from ?? 0, bins.at(-1)?.to ?? 1]
  const edge = (stop: number) => (stop < bins.length ? (bins[stop]?.from ?? end) : end)
  return {
    bars: bins.length,
    chosen: toSharesOf([span.from, span.to], [begin, end]),
    tell: (first, last) => ({
      title: toLabel(bins, first, last),
      count: bins.slice(first, last + 1).reduce((sum, { count }) => sum + count, 0),
      one,
      note: 'Counted by UTC day',
    }),
    pickBar: (index) => change(toPicked(bins, index, span)),
    pickBars: (first, last) => change(toSpan(bins, first, last)),
    clear: () => change({ from: null, to: null }),
    ends: {
      names: { begin: `${label} from`, end: `${label} to` },
      stops: toEdgeShares(bins.length),
      canMeet: false,
      texts: { begin: formatDay(span.from ?? begin), end: formatDay((span.to ?? end) - 1) },
      toText: (which, stop) => formatDay(which === 'begin' ? edge(stop) : edge(stop) - 1),
      moveTo: ({ begin: first, end: last }) => change(toSpan(bins, first, last - 1)),
    },
  }
}

function toPicked(bins: Bins, index: number, span: Span): Span {
  const picked = { from: bins[index]?.from ?? null, to: bins[index]?.to ?? null }
  const isOnly = picked.from === span.from && picked.to === span.to
  return isOnly ? { from: null, to: null } : picked
}

const toList = (bins: Bins, { from, to }: Span): ReadBar[] =>
  bins.map((bin, index) => ({
    key: String(bin.from),
    label: toLabel(bins, index, index),
    count: bin.count,
    isOn: (from === null || bin.to > from) && (to === null || bin.from < to),
  }))
