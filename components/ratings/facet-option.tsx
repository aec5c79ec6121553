import type { ReactNode } from 'react'
import { formatCount } from '#components/format/count.ts'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { classNames } from '#components/ui/class-names.ts'

type FacetOptionProps = {
  label: string
  /** How many rows it brings; null where that is not known. */
  count: number | null
  /** The greatest count of the list: the bar's full width. */
  most: number
  isOn: boolean
  onToggle: () => void
  mark?: ReactNode
  /** The colour of the bar, where the data have one. */
  fill?: string
  strong?: boolean
}

/** A value that can be chosen, with its count and a thin bar of it. 26 px high. */
export function FacetOption(props: FacetOptionProps) {
  const { label, count, most, isOn, mark, strong = false } = props
  const fill = props.fill ?? (isOn ? 'bg-accent' : 'bg-line-2')
  return (
    <li className="relative h-[26px]">
      <Checkbox
        label={strong ? <span className="font-semibold">{label}</span> : label}
        mark={mark}
        trailing={count === null ? '–' : formatCount(count)}
        checked={isOn}
        onChange={props.onToggle}
      />
      <span
        aria-hidden
        className={classNames('absolute right-0 bottom-0.5', mark ? 'left-[46px]' : 'left-[22px]')}
      >
        <span
          className={classNames('block h-[1.5px] rounded-full', fill)}
          style={{ width: `${(100 * (count ?? 0)) / Math.max(most, 1)}%` }}
        />
      </span>
    </li>
  )
}
