import { type ReactNode, useId } from 'react'

type FilterGroupProps = {
  legend: string
  /** A field in the group has the same name; else the group itself is found by its label. */
  hasField?: boolean
  /** Stands at the right of the legend. */
  action?: ReactNode
  children: ReactNode
}

/** A filter of the rail: a group with its name above. */
export function FilterGroup({ legend, hasField = false, action, children }: FilterGroupProps) {
  const id = useId()
  return (
    <fieldset aria-labelledby={hasField ? undefined : id} className="relative min-w-0">
      <legend id={id} className="mb-1.5 text-sm font-medium text-ink-3">
        {legend}
      </legend>
      {action && <div className="absolute top-0 right-0 text-sm">{action}</div>}
      {children}
    </fieldset>
  )
}
