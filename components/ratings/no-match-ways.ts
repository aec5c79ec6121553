import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { Chosen } from '#lib/contract/value-list.ts'
import { withFilter } from './query-change.ts'
import type { Filter } from './select-filters.ts'

/** A way out of a result with nothing in it: what goes, in words, and what that brings where it is known already. */
export type Way = {
  key: string
  filters: readonly Pick<Filter, 'key' | 'name' | 'isNot' | 'values'>[]
  drop: Filter['drop']
  total: number | null
}

/** More of them are not asked for: each is a question to the archive. */
export const MOST_ASKED = 8
const MOST_VALUES = 3
/** So many filters make ten pairs. */
const MOST_PAIRED = 5

/** Each filter taken away alone. What the counts beside the filters tell need not be asked. */
export const toSingleWays = (filters: readonly Filter[], facets: Facets | undefined): Way[] =>
  filters.map((filter) => ({
    key: filter.key,
    filters: [filter],
    drop: filter.drop,
    total: facets ? toKnownTotal(filter, filters, facets) : null,
  }))

/** Every facet counts what all other filters leave: together that is what remains without its own, if that is one. */
function toKnownTotal({ name }: Filter, filters: readonly Filter[], facets: Facets) {
  const isAlone = filters.filter((other) => other.name === name).length === 1
  if (!isAlone || !COMPLETE.includes(name as (typeof COMPLETE)[number])) return null
  const counted: readonly { count: number }[] = facets[name as (typeof COMPLETE)[number]]
  return counted.reduce((sum, { count }) => sum + count, 0)
}

/** The facets that name all of their values. */
const COMPLETE = ['rating', 'action', 'created', 'prediction'] as const

/** Two filters taken away together, where there are few enough of them to try. */
export function toPairWays(filters: readonly Filter[]): Way[] {
  if (filters.length < 3 || filters.length > MOST_PAIRED) return []
  return filters.flatMap((first, index) =>
    filters.slice(index + 1).map((second) => ({
      key: `${first.key} and ${second.key}`,
      filters: [first, second],
      drop: <Q extends RatingsQuery>(query: Q) => second.drop(first.drop(query)),
      total: null,
    })),
  )
}

/** Single values that are taken out and could come back, where a list takes out several. */
export const toValueWays = (query: RatingsQuery, facets: Facets | undefined): Way[] =>
  facets
    ? [
        ...toReturning('symbol', query.symbol, facets.symbol),
        ...toReturning('user', query.user, facets.user),
        ...toReturning('rating', query.rating, facets.rating),
        ...toReturning('action', query.action, facets.action),
      ]
    : []

type CountedValue = { value: string | number; count: number; label?: string }

function toReturning(
  name: 'symbol' | 'user' | 'rating' | 'action',
  { only, not }: Chosen<string | number>,
  counted: readonly CountedValue[],
): Way[] {
  if (not.length < 2) return []
  const isOut = ({ value, count }: CountedValue) =>
    count > 0 && not.includes(value) && (only.length === 0 || only.includes(value))
  return counted
    .filter(isOut)
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_VALUES)
    .map(({ value, label, count }) => ({
      key: `${name} not ${value}`,
      filters: [
        {
          key: name,
          name,
          isNot: true,
          values: [label ?? (name === 'user' ? `#${value}` : String(value))],
        },
      ],
      drop: (from) => {
        const chosen: Chosen<string | number> = from[name]
        const rest = chosen.not.filter((other) => other !== value)
        return withFilter(from, { [name]: { ...chosen, not: rest } })
      },
      total: count,
    }))
}

/** Those that bring something, or may, the most first. */
export const toBest = (ways: readonly Way[]): Way[] =>
  ways.filter(({ total }) => total !== 0).sort((a, b) => (b.total ?? 0) - (a.total ?? 0))
