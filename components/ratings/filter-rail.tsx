'use client'

import { memo } from 'react'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { ActionFilter, RatingFilter } from './facet-codes.tsx'
import { PostedFilter } from './posted-filter.tsx'
import { PredictionFilter } from './prediction-filter.tsx'
import { QualityFilter } from './quality-filter.tsx'
import type { QueryProps } from './query-change.ts'
import { StateFilter } from './state-filter.tsx'
import { SymbolFilter } from './symbol-filter.tsx'
import { UserFilter } from './user-filter.tsx'

type FilterRailProps = QueryProps & {
  facets: Facets | undefined
  /** About the instant of the answer, seconds since 1970. */
  now: number
}

/** Every filter, one below the other; each counts the rows that pass all the others. */
export const FilterRail = memo(function FilterRail(props: FilterRailProps) {
  const { query, change, facets, now } = props
  return (
    <div className="flex flex-col gap-5">
      <SymbolFilter query={query} change={change} facets={facets} />
      <RatingFilter query={query} change={change} facets={facets} />
      <ActionFilter query={query} change={change} facets={facets} />
      <StateFilter query={query} change={change} facets={facets} />
      <PostedFilter query={query} change={change} now={now} />
      <PredictionFilter query={query} change={change} facets={facets} />
      <UserFilter query={query} change={change} facets={facets} />
      <QualityFilter query={query} change={change} facets={facets} />
    </div>
  )
})
