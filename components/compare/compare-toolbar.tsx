import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Segmented } from '#components/ui/fields.tsx'
import type { CompareChanges, CompareStyle } from './compare-style.ts'

type CompareToolbarProps = {
  style: CompareStyle
  areaId: string
  onChange: (changes: CompareChanges) => void
  /** Goes to the day from which all had been rated; null where there is none, or where the range begins with it. */
  onCommonRange: (() => void) | null
  /** Gives up the range; null where there is none. */
  onWholeRange: (() => void) | null
  /** What makes a file of the figure. */
  save?: ReactNode
}

const MODES = [
  { value: 'overlay', label: 'One axis' },
  { value: 'multiples', label: 'Small multiples' },
] as const

const SCALES = [
  { value: 'rating', label: 'Rating' },
  {
    value: 'change',
    label: (
      <span title="In rating points, since each symbol's first value in the range">Change</span>
    ),
  },
] as const

/** How a comparison is drawn. */
export function CompareToolbar(props: CompareToolbarProps) {
  const { style, areaId, onChange, onCommonRange, onWholeRange, save } = props
  const { mode, scale, asTable } = style
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pl-2">
      <Segmented
        label="Panes"
        onChange={(next) => onChange({ mode: next })}
        options={MODES}
        value={mode}
      />
      <Segmented
        label="Values"
        onChange={(next) => onChange({ scale: next })}
        options={SCALES}
        value={scale}
      />
      <div className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1">
        {onCommonRange !== null && (
          <Button onClick={onCommonRange} size="small">
            From when all were rated
          </Button>
        )}
        {onWholeRange !== null && (
          <Button onClick={onWholeRange} size="small">
            Show all time
          </Button>
        )}
        <Button
          aria-controls={areaId}
          className="w-28"
          onClick={() => onChange({ asTable: !asTable })}
          size="small"
        >
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
        {save}
      </div>
    </div>
  )
}
