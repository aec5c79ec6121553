'use client'

import { FacetList, type FacetRow, useToggle } from '#components/list/facet-list.tsx'
import { Button } from '#components/ui/button.tsx'
import { Popover } from '#components/ui/popover.tsx'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { QUALITIES, QUALITY_RULES, type Quality, qualityLabel } from '#lib/contract/quality.ts'
import { type QueryProps, withFilter } from '#lib/contract/ratings-view.ts'

export type QualityListProps = QueryProps & { facets: Facets | undefined }

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
          className="link absolute top-0 right-3.5 -my-0.5 h-6 text-sm no-underline!"
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
          Exclude all<span className="sr-only"> ratings with data quality problems</span>
        </Button>
        <QualityRules />
      </div>
    </fieldset>
  )
}

function QualityRules() {
  return (
    <Popover
      label="Rules of data quality"
      align="start"
      className="w-82 p-3 text-sm"
      trigger={
        <Button variant="quiet" size="small">
          Rules
        </Button>
      }
    >
      <dl className="flex flex-col gap-1.5">
        {QUALITIES.map((name) => (
          <div key={name}>
            <dt className="font-semibold">{qualityLabel(name)}</dt>
            <dd className="text-ink-2">{QUALITY_RULES[name]}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2.5 border-t pt-2 text-ink-3">
        “The previous rating” is the same user’s previous rating of the symbol. A rating can break
        several rules. Data from the service is never changed.
      </p>
    </Popover>
  )
}
