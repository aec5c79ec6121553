import type { ReactNode } from 'react'
import { FacetOption } from './facet-option.tsx'
import type { FacetRow } from './facet-rows.ts'
import { FilterGroup } from './filter-group.tsx'

type CodeFilterProps = {
  legend: string
  rows: readonly FacetRow<number>[]
  onToggle: (code: number) => void
  toMark: (code: number) => ReactNode
  toFill?: (code: number) => string
}

/** A filter with a few values by code, each with its shape and count. */
export function CodeFilter({ legend, rows, onToggle, toMark, toFill }: CodeFilterProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count ?? 0))
  return (
    <FilterGroup legend={legend}>
      <ul>
        {rows.map((row) => (
          <FacetOption
            key={row.value}
            label={row.label}
            count={row.count}
            most={most}
            isOn={row.isOn}
            onToggle={() => onToggle(row.value)}
            mark={toMark(row.value)}
            fill={toFill?.(row.value)}
          />
        ))}
      </ul>
    </FilterGroup>
  )
}
