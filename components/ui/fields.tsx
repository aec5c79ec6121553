import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

type FieldFrame = {
  label: string
  labelHidden?: boolean
  hint?: ReactNode
  problem?: string | null
}

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
  labelHidden?: boolean
  options: readonly { value: string; label: string }[]
}

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
  label: ReactNode
  /** Describes the box; not part of its name. */
  trailing?: ReactNode
  mark?: ReactNode
}

export function Checkbox({ label, trailing, mark, className, ...input }: CheckboxProps) {
  const id = useId()
  return (
    <label className={classNames('checkbox', className)}>
      <input
        type="checkbox"
        className="check"
        // The browser would restore an old state on returning to the page.
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
  label: string
  labelShown?: boolean
  options: readonly { value: T; label: ReactNode }[]
  value: T
  onChange: (value: T) => void
  size?: 'small' | 'regular'
  className?: string
}

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
    // Not a `legend`, which breaks its line in WebKit when floating.
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
