'use client'

import { useQueries, useQuery } from '@tanstack/react-query'
import { type Filter, toShortList, withoutFilters } from '#components/format/filter-words.ts'
import { toZonedDay } from '#components/format/instants.ts'
import { formatCounted } from '#components/format/numbers.ts'
import { toEndOfDay } from '#components/time/time-travel.ts'
import { EmptyState } from '#components/ui/messages.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { facetsOptions, firstRatingOptions, ratingsOptions } from '#lib/client/query-options.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type QueryProps, RATINGS_PAGE, withFilter } from '#lib/contract/ratings-view.ts'
import type { Chosen } from '#lib/contract/value-list.ts'
import { selectRatingFilters } from './filters/filter-summary.ts'
import { QueryLink } from './ratings-notices.tsx'

export function NoMatchList({ query, change }: QueryProps) {
  const filters = selectRatingFilters(query, useZone())
  const facets = useQuery({ ...facetsOptions(query), placeholderData: undefined }).data?.data
  const singles = useTotals(query, toSingleWays(filters, facets))
  const isHopeless = singles.length > 1 && singles.every(({ total }) => total === 0)
  const pairs = useTotals(query, isHopeless ? toPairWays(filters) : [])
  const first = useQuery(firstRatingOptions()).data?.data[0]?.created_at ?? null
  const isBefore = query.asof !== null && first !== null && query.asof < first
  const ways = isHopeless
    ? toBest(pairs).slice(0, 1)
    : [...toBest(singles), ...toValueWays(query, facets)]
  if (isBefore) return <NothingYet query={query} change={change} first={first} />
  return (
    <EmptyState
      title="No rating matches"
      action={
        <QueryLink to={withoutFilters(RATINGS_PAGE, query)} change={change} className="link">
          Clear all filters
        </QueryLink>
      }
    >
      {isHopeless && (
        <p>
          Removing any single filter still leaves no ratings. {ways.length > 0 && 'Remove two:'}
        </p>
      )}
      <ul className="flex flex-col gap-1 empty:hidden">
        {ways.map((way) => (
          <li key={way.key} className="wrap-anywhere">
            <QueryLink to={way.drop(query)} change={change} className="link">
              Without{' '}
              {way.filters.map(({ key, name, isNot, values }, index) => (
                <span key={key}>
                  {index > 0 && ' and '}
                  {isNot && 'not '}
                  {name} <b title={values.join(', ')}>{toShortList(values)}</b>
                </span>
              ))}
            </QueryLink>
            {way.total !== null && `: ${formatCounted(way.total, 'rating')}`}
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}

function NothingYet({ query, change, first }: QueryProps & { first: number }) {
  const zone = useZone()
  const day = toZonedDay(first, zone)
  return (
    <EmptyState
      title="No rating existed yet"
      action={
        <>
          <QueryLink
            to={withFilter(query, { asof: toEndOfDay(day, zone) })}
            change={change}
            className="link"
          >
            Go to that day
          </QueryLink>
          <QueryLink to={withFilter(query, { asof: null })} change={change} className="link">
            Back to now
          </QueryLink>
        </>
      }
    >
      The first rating was posted on {day}.
    </EmptyState>
  )
}

function useTotals(
  query: QueryProps['query'],
  ways: readonly FilterSuggestion[],
): FilterSuggestion[] {
  const asked = ways.filter(({ total }) => total === null).slice(0, MOST_ASKED)
  const counts = useQueries({
    queries: asked.map(({ drop }) => ({
      ...ratingsOptions({ ...drop(query), page: 1, per_page: 1 }),
      placeholderData: undefined,
    })),
  })
  const totals = new Map(asked.map(({ key }, index) => [key, counts[index]?.data?.page.total]))
  return ways.map((way) => ({ ...way, total: way.total ?? totals.get(way.key) ?? null }))
}

type FilterSuggestion = {
  key: string
  filters: readonly Pick<Filter, 'key' | 'name' | 'isNot' | 'values'>[]
  drop: <Q extends RatingsQuery>(query: Q) => Q
  total: number | null
}

const MOST_ASKED = 8
const MOST_VALUES = 3
const MOST_PAIRED = 5

export const toSingleWays = (
  filters: readonly Filter[],
  facets: Facets | undefined,
): FilterSuggestion[] =>
  filters.map((filter) => ({
    key: filter.key,
    filters: [filter],
    drop: filter.drop,
    total: facets ? toKnownTotal(filter, filters, facets) : null,
  }))

/** A facet ignores its own filter, so its counts add up to the total without that filter. */
function toKnownTotal({ name }: Filter, filters: readonly Filter[], facets: Facets) {
  const isAlone = filters.filter((other) => other.name === name).length === 1
  const complete = COMPLETE.get(name)
  if (!isAlone || complete === undefined) return null
  const counted: readonly { count: number }[] = facets[complete]
  return counted.reduce((sum, { count }) => sum + count, 0)
}

/** Facets that list all of their values. */
const COMPLETE: ReadonlyMap<string, 'rating' | 'action' | 'created' | 'prediction'> = new Map([
  ['rating', 'rating'],
  ['action', 'action'],
  ['posted', 'created'],
  ['prediction', 'prediction'],
])

export function toPairWays(filters: readonly Filter[]): FilterSuggestion[] {
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

export const toValueWays = (query: RatingsQuery, facets: Facets | undefined): FilterSuggestion[] =>
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
): FilterSuggestion[] {
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

export const toBest = (ways: readonly FilterSuggestion[]): FilterSuggestion[] =>
  ways.filter(({ total }) => total !== 0).sort((a, b) => (b.total ?? 0) - (a.total ?? 0))
