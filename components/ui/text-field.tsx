import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

type FieldFrame = {
  label: string
  /** The label is read but not seen. */
  labelHidden?: boolean
  /** A line under the field. */
  hint?: ReactNode
  /** What is wrong with what was entered; marks the field as invalid. */
  problem?: string | null
}

/** The look of a field that text is typed into. */
export const FIELD_CLASSES =
  'h-[31px] w-full min-w-0 rounded-md border border-line-2 bg-surface px-2.5 text-base text-ink hover:border-edge aria-invalid:border-rating-text-1 disabled:text-ink-3'

/** A native text input with its label. `className` goes to the frame around both. */
export function TextField({
  label,
  labelHidden = false,
  hint,
  problem,
  className,
  id,
  ...input
}: FieldFrame & Omit<ComponentProps<'input'>, 'children'>) {
  const ownId = useId()
  const inputId = id ?? ownId
  const note = problem ?? hint
  return (
    <div className={classNames('relative flex flex-col gap-1', className)}>
      <label
        htmlFor={inputId}
        className={labelHidden ? 'sr-only' : 'text-sm font-medium text-ink-2'}
      >
        {label}
      </label>
      <input
        type="text"
        autoComplete="off"
        spellCheck={false}
        {...input}
        id={inputId}
        aria-invalid={problem ? true : undefined}
        aria-describedby={note ? `${ownId}note` : undefined}
        className={FIELD_CLASSES}
      />
      {note && (
        <p
          id={`${ownId}note`}
          className={classNames('text-sm', problem ? 'text-rating-text-1' : 'text-ink-3')}
        >
          {note}
        </p>
      )}
    </div>
  )
}
