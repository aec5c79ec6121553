'use client'

import { actionGlyph } from '#components/rating/action-mark.tsx'
import { RatingGlyph, ratingLook } from '#components/rating/rating-mark.tsx'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import {
  ACTION_LABELS,
  actionLabel,
  RATING_LABELS,
  ratingLabel,
} from '#lib/contract/rating-codes.ts'
import { toToggled } from '#lib/contract/value-list.ts'
import { FacetList } from './facet-list.tsx'
import { toCodeRows } from './facet-rows.ts'
import { FilterGroup } from './filter-group.tsx'
import { PostedFilter } from './posted-filter.tsx'
import { PredictionFilter } from './prediction-filter.tsx'
import { type QueryProps, withFilter } from './query-change.ts'
import { StateFilter } from './state-filter.tsx'
import { SymbolFilter } from './symbol-filter.tsx'
import { UserFilter } from './user-filter.tsx'

type FilterRailProps = QueryProps & {
  facets: Facets | undefined
  /** The instant of the answer, seconds since 1970. */
  now: number
}

/** Every filter, one below the other; each counts the rows that pass all the others. */
export function FilterRail({ query, change, facets, now }: FilterRailProps) {
  return (
    <div className="flex flex-col gap-5">
      <SymbolFilter query={query} change={change} facets={facets} />
      <RatingFilter query={query} change={change} facets={facets} />
      <ActionFilter query={query} change={change} facets={facets} />
      <StateFilter query={query} change={change} />
      <PostedFilter query={query} change={change} now={now} />
      <PredictionFilter query={query} change={change} facets={facets} />
      <UserFilter query={query} change={change} facets={facets} />
    </div>
  )
}

type Counts = QueryProps & { facets: Facets | undefined }

/** From Strong Buy down, as the trade writes them. */
function RatingFilter({ query, change, facets }: Counts) {
  const rows = toCodeRows({
    known: RATING_LABELS,
    counted: facets?.rating,
    chosen: query.rating,
    toLabel: ratingLabel,
  })
  return (
    <FilterGroup legend="Rating">
      <FacetList
        rows={rows.reverse()}
        onToggle={(code) =>
          change((last) => withFilter(last, { rating: toToggled(last.rating, code) }))
        }
        toMark={(code) => <RatingGlyph code={code} />}
        toFill={(code) => ratingLook(code).fill}
      />
    </FilterGroup>
  )
}

function ActionFilter({ query, change, facets }: Counts) {
  const rows = toCodeRows({
    known: ACTION_LABELS,
    counted: facets?.action,
    chosen: query.action,
    toLabel: actionLabel,
  })
  return (
    <FilterGroup legend="Action">
      <FacetList
        rows={rows}
        onToggle={(code) =>
          change((last) => withFilter(last, { action: toToggled(last.action, code) }))
        }
        toMark={(code) => <span className="text-ink-3">{actionGlyph(code)}</span>}
      />
    </FilterGroup>
  )
}
