'use client'

import { useQueries, useQuery } from '@tanstack/react-query'
import { useZone } from '#components/address/outlook.tsx'
import { toZonedDay } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { useFirstRating } from '#components/time/step-buttons.tsx'
import { toEndOfDay } from '#components/time/time-travel.ts'
import { EmptyState } from '#components/ui/messages.tsx'
import { facetsOptions, ratingsOptions } from '#lib/client/query-options.ts'
import {
  MOST_ASKED,
  toBest,
  toPairWays,
  toSingleWays,
  toValueWays,
  type Way,
} from './no-match-ways.ts'
import { type QueryProps, withFilter, withoutFilters } from './query-change.ts'
import { QueryLink } from './query-link.tsx'
import { selectFilters } from './select-filters.ts'
import { toShortList } from './short-list.ts'

/** No rating passes every filter: what taking away each of them would bring, the most first; or two together. */
export function NoMatchList({ query, change }: QueryProps) {
  const formats = useFormats()
  const filters = selectFilters(query, formats)
  const facets = useQuery({ ...facetsOptions(query), placeholderData: undefined }).data?.data
  const singles = useTotals(query, toSingleWays(filters, facets))
  const isHopeless = singles.length > 1 && singles.every(({ total }) => total === 0)
  const pairs = useTotals(query, isHopeless ? toPairWays(filters) : [])
  const first = useFirstRating()
  const isBefore = query.asof !== null && first !== null && query.asof < first
  const ways = isHopeless
    ? toBest(pairs).slice(0, 1)
    : [...toBest(singles), ...toValueWays(query, facets)]
  if (isBefore) return <NothingYet {...{ query, change, first }} />
  return (
    <EmptyState
      title="No rating matches"
      action={
        <QueryLink to={withoutFilters(query)} change={change} className="link">
          Clear all filters
        </QueryLink>
      }
    >
      {isHopeless && (
        <p>
          No single filter is to blame: each of them taken away alone leaves nothing still.{' '}
          {ways.length > 0 && 'These two together do the most:'}
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
            {way.total !== null && `: ${formats.formatCounted(way.total, 'rating')}`}
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}

/** The page is rewound to before everything: there is nothing that a filter could be blamed for. */
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
      The first of all was posted on {day}.
    </EmptyState>
  )
}

/** The ways with what each brings, asked where it is not known; null until the answer is there. */
function useTotals(query: QueryProps['query'], ways: readonly Way[]): Way[] {
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
