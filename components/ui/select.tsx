import { type ComponentProps, useId } from 'react'
import { classNames } from './class-names.ts'

type SelectProps = Omit<ComponentProps<'select'>, 'children'> & {
  label: string
  /** The label is read but not seen. */
  labelHidden?: boolean
  options: readonly { value: string; label: string }[]
}

/** A native select with its label beside it. `className` goes to the frame around both. */
export function Select({
  label,
  labelHidden = false,
  options,
  className,
  id,
  ...select
}: SelectProps) {
  const ownId = useId()
  const selectId = id ?? ownId
  return (
    <div className={classNames('relative inline-flex items-center gap-2', className)}>
      <label htmlFor={selectId} className={labelHidden ? 'sr-only' : 'text-ink-3'}>
        {label}
      </label>
      <select
        {...select}
        id={selectId}
        className="h-[31px] max-w-full rounded-md border border-line-2 bg-surface px-2 text-base text-ink hover:border-edge"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
