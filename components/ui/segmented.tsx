import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

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
    <fieldset className={classNames('relative flex items-center gap-0.5', className)}>
      <legend className={labelShown ? 'float-left pr-2 text-ink-3' : 'sr-only'}>{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames(
            'relative inline-flex cursor-pointer items-center rounded-md px-2.5 text-ink-2 hover:text-ink',
            'has-checked:bg-sunk has-checked:font-semibold has-checked:text-ink',
            'has-focus-visible:outline-2 has-focus-visible:outline-accent',
            'forced-colors:has-checked:outline-2',
            size === 'small' ? 'h-6 text-sm' : 'h-[27px] text-base',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
