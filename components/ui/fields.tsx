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
    <div className={classNames('field-frame', className)}>
      <label htmlFor={inputId} className={labelHidden ? 'sr-only' : 'field-label'}>
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
        className="field"
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
      <select {...select} id={selectId} className="field-select">
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'children'> & {
  /** The accessible name, alone. */
  label: ReactNode
  /** Stands at the right end, describes the box but is no part of its name: a count. */
  trailing?: ReactNode
  /** Stands between box and label: a glyph, an element that is hidden from screen readers. */
  mark?: ReactNode
}

/** A native checkbox; the whole row toggles it. `className` goes to the row. */
export function Checkbox({ label, trailing, mark, className, ...input }: CheckboxProps) {
  const id = useId()
  return (
    <label className={classNames('checkbox', className)}>
      <input
        type="checkbox"
        className="check"
        // A browser that comes back to the page would tick what was ticked elsewhere.
        autoComplete="off"
        aria-labelledby={`${id}label`}
        aria-describedby={trailing === undefined ? undefined : `${id}trailing`}
        {...input}
      />
      {mark}
      <span id={`${id}label`} className="checkbox-label">
        {label}
      </span>
      {trailing !== undefined && (
        <span id={`${id}trailing`} className="checkbox-note">
          {trailing}
        </span>
      )}
    </label>
  )
}

type SegmentedProps<T extends string> = {
  /** What is chosen, in words. Read, and seen only with `labelShown`. */
  label: string
  labelShown?: boolean
  options: readonly { value: T; label: ReactNode }[]
  value: T
  onChange: (value: T) => void
  /** `regular` is 27 px high, `small` 24 px. */
  size?: 'small' | 'regular'
  className?: string
}

/** One of a few, side by side: native radio buttons, so that arrow keys move between them. */
export function Segmented<T extends string>({
  label,
  labelShown = false,
  options,
  value,
  onChange,
  size = 'regular',
  className,
}: SegmentedProps<T>) {
  const name = useId()
  return (
    // Named by a text beside the options: a legend stands above them, and one that floats breaks its line in WebKit.
    <fieldset
      aria-labelledby={`${name}label`}
      className={classNames('relative flex items-center gap-0.5', className)}
    >
      <span
        id={`${name}label`}
        className={labelShown ? 'pr-2 whitespace-nowrap text-ink-3' : 'sr-only'}
      >
        {label}
      </span>
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames('segment', size === 'small' && 'segment-small')}
        >
          <input
            type="radio"
            autoComplete="off"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="segment-radio"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
