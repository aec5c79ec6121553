import { toNearestMidnight, toZonedDay, zonedMidnight } from '#components/format/instants.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { Span } from '#lib/contract/instant-text.ts'
import { ratingLabel } from '#lib/contract/rating-codes.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import type { Bar, Bars } from './bars.ts'
import { isInPeriods } from './faded-bars.ts'
import { toSpanText } from './posted-span.ts'
import { withFilter } from './query-change.ts'
import type { Shares } from './shares.ts'

export type CreatedBin = {
  from: number
  to: number
  count: number
  ratings?: Facets['created'][number]['ratings']
}

type Asked = Pick<RatingsView, 'from' | 'to' | 'created' | 'tz'>

/** Where the bars begin, in seconds, and where the last one ends. */
export type CreatedBars = Bars & {
  edges: readonly number[]
  /** The edges are those of days elsewhere than where the bins were counted. */
  isShifted: boolean
}

/** When ratings were posted, bin by bin, as bars that filter by the time from one edge to another. */
export function toCreatedBars(
  bins: readonly CreatedBin[],
  asked: Asked,
  toLabel: (code: number) => string = ratingLabel,
): CreatedBars {
  const edges = toCreatedEdges(bins, asked.tz)
  const edge = (index: number) => edges[index] ?? 0
  const text = (first: number, last: number) =>
    toSpanText({ from: edge(first), to: edge(last + 1) }, asked.tz) ?? ''
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
    chosen: toCreatedShares(edges, asked),
    toLabel: text,
    pickSpan: (query, first, last) =>
      withSpan(
        query,
        first === 0 ? null : edge(first),
        last === bins.length - 1 ? null : edge(last + 1),
      ),
  }
}

/** The query with another span; days, months and years that were chosen before make way for it. */
export const withSpan = <Q extends RatingsQuery>(
  query: Q,
  from: number | null,
  to: number | null,
): Q => withFilter(query, { from, to, created: { only: [], not: query.created.not } })

const DAY_SECONDS = 86_400
/** Bins of at least so many days are about days: they begin where a day of the zone does. */
const LONG_DAYS = 4

/** The edges of all bins, of which the last lies behind the last rating. */
export function toCreatedEdges(bins: readonly CreatedBin[], zone: string): number[] {
  const [first, last] = [bins.at(0), bins.at(-1)]
  if (!first || !last) return []
  const edges = [...bins.map(({ from }) => from), last.to]
  if ((last.to - first.from) / bins.length < LONG_DAYS * DAY_SECONDS) return edges
  // What is rounded between two bins is in one of them; what is first and last stays in.
  return edges.map((edge, index) => {
    const day = zonedMidnight(toZonedDay(edge, zone), zone)
    if (index === 0 || day === edge) return day
    return index === bins.length
      ? zonedMidnight(toZonedDay(edge + DAY_SECONDS, zone), zone)
      : toNearestMidnight(edge, zone)
  })
}

/** Where a span lies along the edges; without bounds all along them. */
function toCreatedShares(edges: readonly number[], { from, to }: Asked): Shares {
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

/** Have the bounds anything of a span? */
const isInSpan = ({ from, to }: Asked, span: Span): boolean =>
  (from === null || span.to > from) && (to === null || span.from < to)
