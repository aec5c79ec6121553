import type { CSSProperties, ReactNode } from 'react'
import { FacetOption } from './facet-option.tsx'
import type { FacetRow } from './facet-rows.ts'

type FacetListProps<T extends string | number> = {
  rows: readonly FacetRow<T>[]
  onToggle: (value: T) => void
  toMark?: (value: T) => ReactNode
  toFill?: (value: T) => string
  strong?: boolean
  className?: string
  style?: CSSProperties
}

/** The values of a filter, one below the other; bars are relative to the longest. */
export function FacetList<T extends string | number>(props: FacetListProps<T>) {
  const { rows, onToggle, toMark, toFill, strong, ...list } = props
  const most = Math.max(1, ...rows.map(({ count }) => count ?? 0))
  return (
    <ul {...list}>
      {rows.map(({ value, ...row }) => (
        <FacetOption
          key={value}
          {...row}
          most={most}
          onToggle={() => onToggle(value)}
          mark={toMark?.(value)}
          fill={toFill?.(value)}
          strong={strong}
        />
      ))}
    </ul>
  )
}
