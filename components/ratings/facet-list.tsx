import type { CSSProperties, ReactNode } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { FacetOption } from './facet-option.tsx'
import type { FacetRow, ToggleValue } from './facet-rows.ts'

type FacetListProps<T extends string | number> = {
  rows: readonly FacetRow<T>[]
  /** These three stay the same function, so that a line is drawn anew only where it changed. */
  onToggle: ToggleValue<T>
  toMark?: (value: T) => ReactNode
  toFill?: (value: T) => string
  strong?: boolean
  className?: string
  style?: CSSProperties
}

/** The values of a filter, one below the other; bars are relative to the longest. */
export function FacetList<T extends string | number>(props: FacetListProps<T>) {
  const { rows, onToggle, toMark, toFill, strong, ...list } = props
  const { formatCount } = useFormats()
  const most = Math.max(1, ...rows.map(({ count }) => count ?? 0))
  return (
    <ul {...list}>
      {rows.map(({ count, ...row }) => (
        <FacetOption
          key={row.value}
          {...row}
          count={count === null ? null : formatCount(count)}
          share={(count ?? 0) / most}
          onToggle={onToggle}
          toMark={toMark}
          toFill={toFill}
          strong={strong}
        />
      ))}
    </ul>
  )
}
