import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'children'> & {
  /** The accessible name, alone. */
  label: ReactNode
  /** Stands at the right end, describes the box but is no part of its name: a count. */
  trailing?: ReactNode
  /** Stands between box and label: a glyph. Hidden from screen readers. */
  mark?: ReactNode
}

/** A native checkbox; the whole row toggles it. `className` goes to the row. */
export function Checkbox({ label, trailing, mark, className, ...input }: CheckboxProps) {
  const id = useId()
  return (
    <label
      className={classNames(
        'flex min-h-6 cursor-pointer items-center gap-2 has-disabled:cursor-default has-disabled:text-ink-3',
        className,
      )}
    >
      <input
        type="checkbox"
        className="check"
        aria-labelledby={`${id}label`}
        aria-describedby={trailing === undefined ? undefined : `${id}trailing`}
        {...input}
      />
      {mark !== undefined && (
        <span aria-hidden className="flex w-4 shrink-0 justify-center">
          {mark}
        </span>
      )}
      <span id={`${id}label`} className="min-w-0 truncate">
        {label}
      </span>
      {trailing !== undefined && (
        <span id={`${id}trailing`} className="ml-auto text-ink-3">
          {trailing}
        </span>
      )}
    </label>
  )
}
