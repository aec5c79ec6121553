import type { Formats } from '#components/format/numbers.ts'
import { type Filter, selectFilters, type Told } from './select-filters.ts'

const MOST_NAMED = 3

/** What the page shows, in plain English: `AAPL, Moderate Buy or Strong Buy · Ratings`. */
export function toQueryTitle(query: Told, formats?: Formats): string {
  const phrase = toFilterPhrase(query, formats)
  return [...(phrase === '' ? [] : [phrase]), 'Ratings'].join(' · ')
}

/** The filters alone, `AAPL, Moderate Buy or Strong Buy`; '' where there are none. */
export const toFilterPhrase = (query: Told, formats?: Formats): string =>
  selectFilters(query, formats).map(toPhrase).join(', ')

/** The title of the tab. The layout's template does not reach the page beside it. */
export const toPageTitle = (query: Told, formats?: Formats): string =>
  `${toQueryTitle(query, formats)} · Bellwether`

/** Their values say what they are. */
const PLAIN = new Set(['symbol', 'rating', 'action', 'state', 'quality'])
/** What is counted stands behind its number: `0 comments`. */
const COUNTED = new Set(['agree', 'disagree', 'comments'])

function toPhrase({ name, isNot, values }: Filter): string {
  const value = joinByOr(values)
  const text = PLAIN.has(name) ? value : COUNTED.has(name) ? `${value} ${name}` : `${name} ${value}`
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
