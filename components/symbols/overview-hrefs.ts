import { toInstantText } from '#lib/contract/instant-text.ts'
import { toQueryText, toSearchParams } from '#lib/contract/ratings-query.ts'
import { ratingsOfSymbol, toSymbolHref, toSymbolRatingsHref } from './symbol-address.ts'

const UPGRADED = 2
const DOWNGRADED = 3

/** So much of what led to a cliff stands before it. */
const CLIFF_RANGE_SECONDS = 90 * 86_400

/** Where the lines of an overview lead: to absolute spans, so that a link shows tomorrow what it shows today. */
export function toOverviewHrefs({ since }: { since: number }, asOf: number) {
  // `to` is the first second that is not in a span any more.
  const to = asOf + 1
  const labelled = (action: number) => (symbol: string) =>
    toSymbolRatingsHref(symbol, { action, from: Math.max(0, since), to })
  const ranged = (from: number) => (symbol: string) => {
    const span = new URLSearchParams({
      from: toInstantText(Math.max(0, from)),
      to: toInstantText(to),
    })
    return `${toSymbolHref(symbol)}${toQueryText(span)}`
  }
  return {
    upgraded: labelled(UPGRADED),
    downgraded: labelled(DOWNGRADED),
    move: ranged(since),
    newest: toSymbolHref,
    contested: toContestedHref,
    cliff: ranged(asOf - CLIFF_RANGE_SECONDS),
  }
}

/** A symbol's active ratings, those first that are disagreed with most. */
function toContestedHref(symbol: string): string {
  const query = {
    ...ratingsOfSymbol(symbol),
    state: 'active' as const,
    sort: { column: 'tally_disagree', direction: 'desc' } as const,
  }
  return `/${toQueryText(toSearchParams(query))}`
}
