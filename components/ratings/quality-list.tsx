'use client'

import { Button } from '#components/ui/button.tsx'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { QUALITIES, type Quality, qualityLabel } from '#lib/contract/quality.ts'
import { QUALITY_RULES } from '#lib/contract/quality-definitions.ts'
import { FacetList } from './facet-list.tsx'
import type { FacetRow } from './facet-rows.ts'
import { QualityRules } from './quality-rules.tsx'
import { type QueryProps, withFilter } from './query-change.ts'
import { useToggle } from './use-toggle.ts'

export type QualityListProps = QueryProps & { facets: Facets | undefined }

/** The lenses with their counts, all of them out by one button, and the rule of each. */
export function QualityList({ query, change, facets }: QualityListProps) {
  const { toggle, reset } = useToggle('quality', query, change)
  const { only, not } = query.quality
  const isAllOut = only.length === 0 && not.length === QUALITIES.length
  const leaveOut = () =>
    change((view) => withFilter(view, { quality: { only: [], not: [...QUALITIES] } }))
  const rows = QUALITIES.map(
    (value): FacetRow<Quality> => ({
      value,
      label: qualityLabel(value),
      rule: QUALITY_RULES[value],
      count: facets?.quality.find((row) => row.value === value)?.count ?? null,
      isOn: only.includes(value),
      isNot: not.includes(value),
    }),
  )
  return (
    <fieldset aria-label="Data quality" className="min-w-0">
      {reset && (
        <button
          type="button"
          className="link absolute top-0 right-0 -my-0.5 h-6 text-sm no-underline!"
          onClick={reset}
        >
          reset<span className="sr-only"> the filter by data quality</span>
        </button>
      )}
      <FacetList rows={rows} onToggle={toggle} />
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1">
        <Button
          size="small"
          aria-pressed={isAllOut}
          className="aria-pressed:border-accent aria-pressed:bg-accent-bg"
          onClick={isAllOut ? reset : leaveOut}
        >
          Leave all of them out
        </Button>
        <QualityRules />
      </div>
    </fieldset>
  )
}
