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
import { FacetList } from './facet-list.tsx'
import { toCodeRows } from './facet-rows.ts'
import { FilterGroup } from './filter-group.tsx'
import type { QueryProps } from './query-change.ts'
import { useToggle } from './use-toggle.ts'

type Counts = QueryProps & { facets: Facets | undefined }

/** From Strong Buy down, as the trade writes them. */
export function RatingFilter({ query, change, facets }: Counts) {
  const { toggle, reset } = useToggle('rating', query, change)
  const rows = toCodeRows({
    known: RATING_LABELS,
    counted: facets?.rating,
    chosen: query.rating,
    toLabel: ratingLabel,
  })
  return (
    <FilterGroup legend="Rating" onReset={reset}>
      <FacetList rows={rows.reverse()} onToggle={toggle} toMark={toGlyph} toFill={toFill} />
    </FilterGroup>
  )
}

const toGlyph = (code: number) => <RatingGlyph code={code} />
const toFill = (code: number) => ratingLook(code).fill

export function ActionFilter({ query, change, facets }: Counts) {
  const { toggle, reset } = useToggle('action', query, change)
  const rows = toCodeRows({
    known: ACTION_LABELS,
    counted: facets?.action,
    chosen: query.action,
    toLabel: actionLabel,
  })
  return (
    <FilterGroup legend="Action" onReset={reset}>
      <FacetList rows={rows} onToggle={toggle} toMark={toActionMark} />
    </FilterGroup>
  )
}

const toActionMark = (code: number) => <span className="text-ink-3">{actionGlyph(code)}</span>
