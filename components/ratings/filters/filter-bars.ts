import {
  toNearestMidnight,
  toSpanText,
  toZonedDay,
  zonedMidnight,
} from '#components/format/instants.ts'
import { toCodeRows } from '#components/list/facet-list.tsx'
import { type Shares, WHOLE } from '#components/list/shares.ts'
import {
  type BarPart,
  type ReadBar,
  type SpanEnd,
  type SpanEnds,
  type SpanModel,
  toEdgeShares,
} from '#components/list/span-selection.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { Span } from '#lib/contract/instant-text.ts'
import { RATING_LABELS, ratingLabel } from '#lib/contract/rating-fields.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type ChangeQuery, type RatingsView, withFilter } from '#lib/contract/ratings-view.ts'
import { type Chosen, only, toToggled } from '#lib/contract/value-list.ts'
import { isAmong, isInPeriods, type PredictionBounds, toPredictionShares } from './histogram.ts'
import { asSpan } from './posted-range.ts'
import {
  toBounds,
  toDecimalText,
  toMicros,
  withBounds,
  withLeastPrediction,
  withMostPrediction,
} from './prediction-range.ts'

export type Bar = ReadBar & { pick: <Q extends RatingsQuery>(query: Q) => Q }

export type Bars = {
  bars: readonly Bar[]
  chosen: Shares
  /** Inclusive; the outermost bars set no bound. */
  pickSpan: <Q extends RatingsQuery>(query: Q, first: number, last: number) => Q
  toLabel: (first: number, last: number) => string
}

export function toSum(bars: readonly Bar[]): { count: number; parts: BarPart[] } {
  const parts = new Map<number, BarPart>()
  let sum = 0
  for (const bar of bars) {
    sum += bar.count
    for (const { code, label, count } of bar.parts ?? []) {
      parts.set(code, { code, label, count: count + (parts.get(code)?.count ?? 0) })
    }
  }
  return { count: sum, parts: [...parts.values()].sort((a, b) => a.code - b.code) }
}

export const toBarsModel = ({ bars, chosen, ...span }: Bars, change: ChangeQuery): SpanModel => ({
  bars: bars.length,
  chosen,
  tell: (first, last) => ({
    title: span.toLabel(first, last),
    ...toSum(bars.slice(first, last + 1)),
  }),
  pickBar: (index) => {
    const bar = bars[index]
    if (bar) change(bar.pick)
  },
  pickBars: (first, last) => change((view) => span.pickSpan(view, first, last)),
})

type PostedBin = {
  from: number
  to: number
  count: number
  ratings?: Facets['created'][number]['ratings']
}

export type PostedSpan = Pick<RatingsView, 'from' | 'to' | 'created'> & { zone: string }

/** Seconds since 1970; one more than there are bars. */
type PostedBars = Bars & {
  edges: readonly number[]
  isShifted: boolean
}

export function toPostedBars(
  bins: readonly PostedBin[],
  asked: PostedSpan,
  toLabel: (code: number) => string = ratingLabel,
): PostedBars {
  const edges = toPostedEdges(bins, asked.zone)
  const edge = (index: number) => edges[index] ?? 0
  const text = (first: number, last: number) =>
    toSpanText({ from: edge(first), to: edge(last + 1) }, asked.zone) ?? ''
  const bars = bins.map(({ count, ratings }, index): Bar => {
    const span = { from: edge(index), to: edge(index + 1) }
    return {
      key: String(span.from),
      label: text(index, index),
      count,
      parts: ratings?.map(({ value, count }) => ({ code: value, label: toLabel(value), count })),
      isOn: isInSpan(asked, span) && isInPeriods(asked.created, span),
      pick: (query) =>
        query.from === span.from && query.to === span.to
          ? withSpan(query, null, null)
          : withSpan(query, span.from, span.to),
    }
  })
  return {
    edges,
    isShifted: bins.some(({ from }, index) => from !== edges[index]),
    bars,
    chosen: toPostedShares(edges, asked),
    toLabel: text,
    pickSpan: (query, first, last) =>
      withSpan(
        query,
        first === 0 ? null : edge(first),
        last === bins.length - 1 ? null : edge(last + 1),
      ),
  }
}

export const withSpan = <Q extends RatingsQuery>(
  query: Q,
  from: number | null,
  to: number | null,
): Q => withFilter(query, { from, to, created: { only: [], not: query.created.not } })

const DAY_SECONDS = 86_400
/** Longer bins start at midnight in the reader's zone. */
const LONG_DAYS = 4

function toPostedEdges(bins: readonly PostedBin[], zone: string): number[] {
  const [first, last] = [bins.at(0), bins.at(-1)]
  if (!first || !last) return []
  const edges = [...bins.map(({ from }) => from), last.to]
  if ((last.to - first.from) / bins.length < LONG_DAYS * DAY_SECONDS) return edges
  // The outermost edges round outward, so that no rating falls outside.
  return edges.map((edge, index) => {
    const day = zonedMidnight(toZonedDay(edge, zone), zone)
    if (index === 0 || day === edge) return day
    return index === bins.length
      ? zonedMidnight(toZonedDay(edge + DAY_SECONDS, zone), zone)
      : toNearestMidnight(edge, zone)
  })
}

function toPostedShares(edges: readonly number[], { from, to }: PostedSpan): Shares {
  const begin = from === null ? 0 : toShare(edges, from)
  const end = to === null ? 1 : toShare(edges, to)
  return { begin: Math.min(begin, end), end }
}

function toShare(edges: readonly number[], at: number): number {
  const bars = edges.length - 1
  const next = edges.findIndex((edge) => edge > at)
  if (next === -1) return 1
  if (next === 0) return 0
  const [begin = 0, end = 1] = edges.slice(next - 1, next + 1)
  return (next - 1 + (at - begin) / (end - begin)) / bars
}

const isInSpan = ({ from, to }: PostedSpan, span: Span): boolean =>
  (from === null || span.to > from) && (to === null || span.from < to)

export function toSpanEnds({ edges }: PostedBars, span: PostedSpan, change: ChangeQuery): SpanEnds {
  const last = edges.length - 1
  const toBound = (end: SpanEnd, stop: number) =>
    stop === (end === 'begin' ? 0 : last) ? null : (edges[stop] ?? null)
  return {
    names: { begin: 'Start of the range', end: 'End of the range' },
    stops: toEdgeShares(last),
    canMeet: false,
    texts: {
      begin: toEndText('begin', span.from, span.zone),
      end: toEndText('end', span.to, span.zone),
    },
    toText: (end, stop) => toEndText(end, toBound(end, stop), span.zone),
    moveTo: ({ begin, end, moved }) =>
      change((view) =>
        withSpan(
          view,
          moved === 'end' ? asSpan(view).from : toBound('begin', begin),
          moved === 'begin' ? asSpan(view).to : toBound('end', end),
        ),
      ),
  }
}

function toEndText(end: SpanEnd, at: number | null, zone: string): string {
  if (at === null) return end === 'begin' ? 'from the first rating on' : 'to the newest rating'
  return toSpanText(end === 'begin' ? { from: at, to: null } : { from: null, to: at }, zone) ?? ''
}

type Bins = Facets['prediction']

export function toPredictionBars(
  bins: Bins,
  asked: PredictionBounds,
  toText: (least: string, most: string) => string,
): Bars {
  const bounds = bins.map((bin, index) => toBounds(bin, index === bins.length - 1))
  const bars = bins.map((bin, index): Bar => {
    const { least, most } = bounds[index] ?? { least: bin.from, most: bin.to }
    return {
      key: bin.from,
      label: toText(least, most),
      count: bin.count,
      isOn:
        isWithin(asked, { least, most }) &&
        isAmong(asked.prediction, bin, index === bins.length - 1),
      pick: (query) =>
        query.prediction_min === least && query.prediction_max === most
          ? withBounds(query, null, null)
          : withBounds(query, least, most),
    }
  })
  return {
    bars,
    chosen: toPredictionShares(bins, asked),
    toLabel: (first, last) => toText(bounds[first]?.least ?? '', bounds[last]?.most ?? ''),
    pickSpan: (query, first, last) =>
      withBounds(
        query,
        first === 0 ? null : (bounds[first]?.least ?? null),
        last === bins.length - 1 ? null : (bounds[last]?.most ?? null),
      ),
  }
}

function isWithin(asked: PredictionBounds, { least, most }: { least: string; most: string }) {
  const [from, to] = [toMicros(least), toMicros(most)]
  const passes = (bound: string | null, test: (micros: bigint) => boolean) =>
    bound === null || test(toMicros(bound))
  return (
    passes(asked.prediction_min, (low) => to >= low) &&
    passes(asked.prediction_above, (low) => to > low) &&
    passes(asked.prediction_max, (high) => from <= high) &&
    passes(asked.prediction_below, (high) => from < high)
  )
}

type Ends = { asked: PredictionBounds; change: ChangeQuery; toText: (prediction: string) => string }

export function toPredictionEnds(
  bins: Facets['prediction'],
  { asked, change, toText }: Ends,
): SpanEnds {
  const stops = toPredictionStops(toPredictionScale(bins))
  const toBound = (stop: number) => stops[stop]?.bound ?? null
  const write = (end: SpanEnd, bound: string | null) =>
    bound === null ? NO_BOUND[end] : toText(bound)
  const { prediction_above: above, prediction_below: below } = asked
  return {
    names: { begin: 'Lowest prediction', end: 'Highest prediction' },
    stops: stops.map(({ share }) => share),
    canMeet: true,
    texts: {
      begin: above === null ? write('begin', asked.prediction_min) : `above ${toText(above)}`,
      end: below === null ? write('end', asked.prediction_max) : `below ${toText(below)}`,
    },
    toText: (end, stop) => write(end, toBound(stop)),
    moveTo: ({ begin, end, moved }) =>
      change((view) => {
        if (moved === 'both') return withBounds(view, toBound(begin), toBound(end))
        return moved === 'begin'
          ? withLeastPrediction(view, toBound(begin))
          : withMostPrediction(view, toBound(end))
      }),
  }
}

const NO_BOUND = { begin: 'no lower bound', end: 'no upper bound' }

/** Millionths. The outermost bins extend further than they are drawn. */
type PredictionScale = { low: bigint; high: bigint }

export function toPredictionScale(bins: Facets['prediction']): PredictionScale {
  const edges = bins.map(({ from }) => toMicros(from))
  const last = bins.at(-1)
  const [first = 0n, second, third] = edges
  const end = last ? toMicros(last.to) : 0n
  if (second === undefined) return { low: first, high: end }
  if (third === undefined) return { low: first, high: end }
  const width = third - second
  return { low: second - width, high: (edges.at(-1) ?? end) + width }
}

const MOST_STOPS = 200n
const LEAST_STEP = 10_000n
const STEPS = [1n, 2n, 5n]

/** `bound` is decimal text; null at both ends of the scale. */
type PredictionStop = { share: number; bound: string | null }

export function toPredictionStops(scale: PredictionScale): PredictionStop[] {
  const { low, high } = scale
  const step = toStep(high - low)
  const stops: PredictionStop[] = [{ share: 0, bound: null }]
  for (let at = toNextMultiple(low, step); at < high; at += step) {
    stops.push({ share: Number(at - low) / Number(high - low), bound: toDecimalText(at) })
  }
  return [...stops, { share: 1, bound: null }]
}

function toStep(length: bigint): bigint {
  for (let unit = LEAST_STEP; ; unit *= 10n) {
    const step = STEPS.map((times) => times * unit).find((size) => size * MOST_STOPS >= length)
    if (step !== undefined) return step
  }
}

function toNextMultiple(value: bigint, step: bigint): bigint {
  const rest = value % step
  return value - rest + (rest < 0n ? 0n : step)
}

export function toRatingBars(counted: Facets['rating'], chosen: Chosen<number>): Bars {
  const rows = toCodeRows({ known: RATING_LABELS, counted, chosen, toLabel: ratingLabel })
  const bars = rows.map((row): Bar => {
    const isOn = chosen.only.length === 0 ? !row.isNot : row.isOn
    return {
      key: String(row.value),
      label: row.label,
      count: row.count ?? 0,
      isOn,
      pick: (query) => withFilter(query, { rating: toToggled(query.rating, row.value) }),
    }
  })
  const label = (index: number) => rows[index]?.label ?? ''
  return {
    bars,
    chosen: WHOLE,
    toLabel: (first, last) => (first === last ? label(first) : `${label(first)} to ${label(last)}`),
    pickSpan: (query, first, last) =>
      withFilter(query, { rating: only(...rows.slice(first, last + 1).map(({ value }) => value)) }),
  }
}
