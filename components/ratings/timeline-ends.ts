import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { type CreatedBars, withSpan } from './created-bars.ts'
import { toSpanText } from './posted-span.ts'
import type { ChangeQuery } from './query-change.ts'
import type { SpanEnd } from './span-drag.ts'
import { type SpanEnds, toEdgeShares } from './span-model.ts'

type Span = Pick<RatingsView, 'from' | 'to' | 'tz'>

/** The ends of the span along the timeline: they stand at the edges of bars, and at the outermost bound nothing. */
export function toSpanEnds({ edges }: CreatedBars, span: Span, change: ChangeQuery): SpanEnds {
  const last = edges.length - 1
  const toBound = (end: SpanEnd, stop: number) =>
    stop === (end === 'begin' ? 0 : last) ? null : (edges[stop] ?? null)
  return {
    names: { begin: 'Beginning of the span', end: 'End of the span' },
    stops: toEdgeShares(last),
    canMeet: false,
    texts: {
      begin: toEndText('begin', span.from, span.tz),
      end: toEndText('end', span.to, span.tz),
    },
    toText: (end, stop) => toEndText(end, toBound(end, stop), span.tz),
    moveTo: ({ begin, end, moved }) =>
      change((view) =>
        withSpan(
          view,
          moved === 'end' ? view.from : toBound('begin', begin),
          moved === 'begin' ? view.to : toBound('end', end),
        ),
      ),
  }
}

function toEndText(end: SpanEnd, at: number | null, zone: string): string {
  if (at === null) return end === 'begin' ? 'from the first rating on' : 'to the newest rating'
  return toSpanText(end === 'begin' ? { from: at, to: null } : { from: null, to: at }, zone) ?? ''
}
