import { type ReactNode, useId } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'

type FilterGroupProps = {
  legend: string
  /** A field in the group has the same name; else the group itself is found by its label. */
  hasField?: boolean
  /** How many values there are under the other filters, and what they are: `symbols`. */
  total?: { count: number; of: string }
  /** Takes the filter away. Missing where it is none. */
  onReset?: () => void
  children: ReactNode
}

/** A filter of the rail: a group with its name above. */
export function FilterGroup({ legend, hasField = false, children, ...head }: FilterGroupProps) {
  const { formatCount } = useFormats()
  const id = useId()
  const { total, onReset } = head
  return (
    <fieldset aria-labelledby={hasField ? undefined : id} className="relative min-w-0">
      {/* Floating, or what stands at the right of it would be placed below it. */}
      <legend id={id} className="float-left mb-1.5 text-sm font-medium text-ink-3">
        {legend}
      </legend>
      <div className="absolute top-0 right-0 flex items-center gap-2 text-sm text-ink-3">
        {onReset && (
          <button type="button" className="link -my-0.5 h-6 no-underline!" onClick={onReset}>
            reset<span className="sr-only"> the filter by {legend.toLowerCase()}</span>
          </button>
        )}
        {total && (
          <span>
            {formatCount(total.count)}
            <span className="sr-only"> {total.of} under the other filters</span>
          </span>
        )}
      </div>
      <div className="clear-both">{children}</div>
    </fieldset>
  )
}
