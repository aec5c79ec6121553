import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type Filter, selectFilters } from './select-filters.ts'

const MOST_NAMED = 3

/** What the page shows, in plain English: `AAPL, Moderate Buy or Strong Buy · Ratings`. */
export function toQueryTitle(query: RatingsQuery): string {
  const filters = selectFilters(query).map(toPhrase)
  return [...(filters.length > 0 ? [filters.join(', ')] : []), 'Ratings'].join(' · ')
}

/** The title of the tab. The layout's template does not reach the page beside it. */
export const toPageTitle = (query: RatingsQuery): string => `${toQueryTitle(query)} · Bellwether`

/** Their values say what they are. */
const PLAIN = new Set(['symbol', 'rating', 'action', 'state'])

function toPhrase({ name, isNot, values }: Filter): string {
  const text = PLAIN.has(name) ? joinByOr(values) : `${name} ${joinByOr(values)}`
  return isNot ? `not ${text}` : text
}

/** `A`, `A or B`, `A, B or C`, `A, B, C or 4 more`. */
function joinByOr(values: readonly string[]): string {
  const named = values.slice(0, values.length > MOST_NAMED + 1 ? MOST_NAMED : values.length)
  const rest = values.length - named.length
  const parts = rest > 0 ? [...named, `${rest} more`] : named
  const last = parts.at(-1) ?? ''
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} or ${last}` : last
}
