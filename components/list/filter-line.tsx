import type { MouseEvent, ReactNode } from 'react'
import { type Filter, toShortList } from '#components/format/filter-words.ts'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'

type FilterLineProps = {
  chips: readonly Filter[]
  isDimmed: boolean
  onDrop: (chip: Filter) => void
  onClear: () => void
  /** A mark before each value. */
  toMark?: (chip: Filter, value: string | number) => ReactNode
}

/** Keeps its height without a filter: the table below must not move. */
export const FilterLine = ({ chips, isDimmed, ...rest }: FilterLineProps) => (
  <div className={classNames('-mt-1 flex h-[27px] items-center gap-1.5', isDimmed && 'dimmed')}>
    {chips.length > 0 && (
      <>
        <ul className="chips">
          {chips.map((chip) => (
            <li key={chip.key} className="shrink-0">
              <Chip chip={chip} onDrop={rest.onDrop} toMark={rest.toMark} />
            </li>
          ))}
        </ul>
        <Button variant="quiet" size="small" className="shrink-0" onClick={rest.onClear}>
          Clear all<span className="sr-only"> filters</span>
        </Button>
      </>
    )}
  </div>
)

type ChipProps = Pick<FilterLineProps, 'onDrop' | 'toMark'> & { chip: Filter }

function Chip({ chip, onDrop, toMark }: ChipProps) {
  const { isNot, chosen, values } = chip
  const text = values.join(', ')
  const name = isNot ? `not ${chip.name}` : chip.name
  const marks = chosen.map((value) => toMark?.(chip, value))
  const drop = ({ currentTarget }: MouseEvent) => {
    // The pressed button unmounts: its neighbor takes the focus.
    const item = currentTarget.closest('li')
    const next = item?.nextElementSibling ?? item?.previousElementSibling
    next?.querySelector('button')?.focus()
    onDrop(chip)
  }
  return (
    <span className="chip">
      <span className="shrink-0 text-ink-2">{name}</span>
      <span className="truncate font-semibold text-ink" title={text}>
        {marks.some((mark) => mark)
          ? values.map((value, index) => (
              <span key={value}>
                {index > 0 && ', '}
                {marks[index]}
                {value}
              </span>
            ))
          : toShortList(values)}
      </span>
      <button type="button" className="chip-away" onClick={drop}>
        <span aria-hidden>×</span>
        <span className="sr-only">
          Remove filter: {name} {text}
        </span>
      </button>
    </span>
  )
}
