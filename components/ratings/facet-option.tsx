import { memo, type ReactNode } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import { Checkbox } from '#components/ui/fields.tsx'
import { ExcludeButton } from './facet-exclude.tsx'
import type { ToggleValue } from './facet-rows.ts'

type FacetOptionProps<T> = {
  value: T
  label: string
  /** How many rows it brings; null where that is not known. */
  count: string | null
  /** Of the greatest count of the list: how long the bar is. */
  share: number
  isOn: boolean
  isNot: boolean
  /** What it means, where the label does not say all of it. */
  rule?: string
  onToggle: ToggleValue<T>
  toMark?: (value: T) => ReactNode
  /** The colour of the bar, where the data have one. */
  toFill?: (value: T) => string
  strong?: boolean
}

/** A value that can be chosen or taken out, with its count and a thin bar of it. 26 px high. */
function Option<T extends string | number>(props: FacetOptionProps<T>) {
  const { value, label, isOn, isNot, onToggle, toMark, strong = false } = props
  const count = props.count ?? '–'
  const fill = props.toFill?.(value) ?? (isOn ? 'bg-accent' : 'bg-line-2')
  return (
    <li className="group/line relative h-[26px]" title={props.rule}>
      <Checkbox
        label={
          <span
            className={classNames(
              strong && 'font-semibold',
              isNot && 'text-ink-3 line-through decoration-ink-2',
            )}
          >
            {label}
          </span>
        }
        mark={toMark?.(value)}
        trailing={
          <>
            {count}
            {isNot && <span className="sr-only">, excluded</span>}
          </>
        }
        checked={isOn}
        onChange={() => onToggle(value, 'only')}
      />
      <ExcludeButton
        label={label}
        isNot={isNot}
        besideCharacters={count.length}
        onToggle={() => onToggle(value, 'not')}
      />
      <span
        aria-hidden
        className={classNames(
          'pointer-events-none absolute right-0 bottom-0.5',
          toMark ? 'left-[46px]' : 'left-[22px]',
        )}
      >
        <span
          className={classNames('block h-[1.5px] rounded-full', isNot ? 'bg-line-2' : fill)}
          style={{ width: `${Math.round(1000 * props.share) / 10}%` }}
        />
      </span>
    </li>
  )
}

/** Drawn anew only where it changed; `memo` alone forgets what kind of value it is of. */
export const FacetOption = memo(Option) as typeof Option
