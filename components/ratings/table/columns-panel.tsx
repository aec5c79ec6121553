'use client'

import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Checkbox, Segmented } from '#components/ui/fields.tsx'
import { LiveRegion } from '#components/ui/messages.tsx'
import {
  COLUMN_FACTS,
  COLUMN_IDS,
  type ColumnId,
  isDefaultOrder,
  knownColumns,
  withColumnAt,
} from './columns.ts'
import { isKept } from './table-settings.ts'
import type { TableModel } from './use-ratings-table.ts'

const DENSITY_OPTIONS = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const

export function ColumnsPanel({ model }: { model: TableModel }) {
  const { table, density } = model
  const order = knownColumns(table.getAllLeafColumns().map(({ id }) => id))
  const [said, setSaid] = useState('')
  const move = (id: ColumnId, steps: number) => {
    const next = withColumnAt(order, id, order.indexOf(id) + steps)
    table.setColumnOrder(next)
    const place = next.indexOf(id) + 1
    setSaid(`${COLUMN_FACTS[id].label} is column ${place} of ${order.length}`)
  }
  const isOwn =
    !table.getIsAllColumnsVisible() ||
    !isDefaultOrder(order) ||
    Object.keys(table.atoms.columnSizing.get()).length > 0 ||
    density !== 'comfortable'
  return (
    <>
      <ul>
        {order.map((id, place) => (
          <ColumnItem key={id} id={id} place={place} model={model} move={move} />
        ))}
      </ul>
      <Segmented
        label="Rows"
        labelShown
        size="small"
        className="mt-2 border-t pt-2"
        options={DENSITY_OPTIONS}
        value={density}
        onChange={model.setDensity}
      />
      <Notes isNamed={model.isNamed} isUsual={model.isUsual} />
      <Button
        size="small"
        className="mt-2 w-full"
        aria-disabled={!isOwn || undefined}
        onClick={() => {
          if (!isOwn) return
          model.reset()
          setSaid('Columns, widths and rows are reset')
        }}
      >
        Reset columns and widths
      </Button>
      <LiveRegion message={said} />
    </>
  )
}

type ColumnItemProps = {
  id: ColumnId
  place: number
  model: TableModel
  move: (id: ColumnId, steps: number) => void
}

function ColumnItem({ id, place, model, move }: ColumnItemProps) {
  const { table, shown } = model
  const { label } = COLUMN_FACTS[id]
  const isShown = shown.includes(id)
  return (
    <li className="flex items-center gap-0.5">
      <Checkbox
        label={label}
        className="min-w-0 grow"
        checked={isShown}
        disabled={isShown && shown.length === 1}
        onChange={() => table.getColumn(id)?.toggleVisibility()}
      />
      <MoveButton name={`Move ${label} left`} isOff={place === 0} onMove={() => move(id, -1)}>
        ←
      </MoveButton>
      <MoveButton
        name={`Move ${label} right`}
        isOff={place === COLUMN_IDS.length - 1}
        onMove={() => move(id, 1)}
      >
        →
      </MoveButton>
    </li>
  )
}

type MoveButtonProps = { name: string; isOff: boolean; onMove: () => void; children: string }

const MoveButton = ({ name, isOff, onMove, children }: MoveButtonProps) => (
  <button
    type="button"
    aria-label={name}
    aria-disabled={isOff || undefined}
    onClick={() => !isOff && onMove()}
    className="size-6 shrink-0 rounded-sm text-ink-3 hover:not-aria-disabled:bg-sunk hover:not-aria-disabled:text-ink aria-disabled:text-line-2"
  >
    {children}
  </button>
)

function Notes({ isNamed, isUsual }: Pick<TableModel, 'isNamed' | 'isUsual'>) {
  return (
    <>
      {isNamed && (
        <p className="mt-2 text-sm text-ink-3">
          These columns come from the link. Your changes are saved as your own.
        </p>
      )}
      {isUsual && (
        <p className="mt-2 text-sm text-ink-3 max-sm:hidden min-[80rem]:hidden">
          Columns that do not fit into the window are hidden until you change one.
        </p>
      )}
      {!isKept() && (
        <p className="mt-2 text-sm text-rating-text-1">
          This browser does not let the page store anything: your choice lasts until you leave.
        </p>
      )}
    </>
  )
}
