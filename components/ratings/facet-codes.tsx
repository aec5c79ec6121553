'use client'

import type { ReactNode } from 'react'
import { actionGlyph, RatingGlyph, ratingStyle } from '#components/marks/rating-marks.tsx'
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
export const RatingFilter = (counts: Counts) => (
  <CodeFilter
    {...counts}
    list="rating"
    legend="Rating"
    known={RATING_LABELS}
    toLabel={ratingLabel}
    isDescending
    toMark={toGlyph}
    toFill={toFill}
  />
)

const toGlyph = (code: number) => <RatingGlyph code={code} />
const toFill = (code: number) => ratingStyle(code).fill

export const ActionFilter = (counts: Counts) => (
  <CodeFilter
    {...counts}
    list="action"
    legend="Action"
    known={ACTION_LABELS}
    toLabel={actionLabel}
    toMark={toActionMark}
  />
)

const toActionMark = (code: number) => <span className="text-ink-3">{actionGlyph(code)}</span>

type CodeFilterProps = Counts & {
  list: 'rating' | 'action'
  legend: string
  known: Readonly<Record<number, string>>
  toLabel: (code: number) => string
  isDescending?: boolean
  toMark: (code: number) => ReactNode
  toFill?: (code: number) => string
}

/** A filter by code: ours, those that the service uses beside them, and those that were asked for. */
function CodeFilter(props: CodeFilterProps) {
  const { query, change, facets, list, known, toLabel, isDescending = false } = props
  const { toggle, reset } = useToggle(list, query, change)
  const rows = toCodeRows({ known, counted: facets?.[list], chosen: query[list], toLabel })
  return (
    <FilterGroup legend={props.legend} onReset={reset}>
      <FacetList
        rows={isDescending ? rows.reverse() : rows}
        onToggle={toggle}
        toMark={props.toMark}
        toFill={props.toFill}
      />
    </FilterGroup>
  )
}
