'use client'

import { useState } from 'react'
import { useStorageProblem } from '#components/store/store.ts'
import { Button } from '#components/ui/button.tsx'
import { Checkbox, Segmented } from '#components/ui/fields.tsx'
import { LiveRegion } from '#components/ui/messages.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { labelOf } from './column-edge.tsx'
import { type ColumnTable, type TableColumn, withColumnAt } from './column-table.ts'
import type { Columns } from './use-columns.ts'

const DENSITY_OPTIONS = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const

type ColumnsMenuProps = {
  table: ColumnTable
  columns: Columns
  /** Columns that do not fit into the window are hidden until the reader does this. */
  leavesUntil?: 'changed' | 'others hidden' | undefined
}

export const ColumnsMenu = (props: ColumnsMenuProps) => (
  <Popover
    label="Columns"
    className="w-66 p-2"
    trigger={<Button className="max-sm:px-2.5">Columns</Button>}
  >
    <ColumnsPanel {...props} />
  </Popover>
)

function ColumnsPanel({ table, columns, leavesUntil }: ColumnsMenuProps) {
  const order = table.getAllLeafColumns().map(({ id }) => id)
  const [said, setSaid] = useState('')
  const move = (column: TableColumn, steps: number) => {
    const { id } = column
    const next = withColumnAt(order, id, order.indexOf(id) + steps)
    table.setColumnOrder(next)
    setSaid(`${labelOf(column)} is column ${next.indexOf(id) + 1} of ${order.length}`)
  }
  const isOwn = !columns.isUsual || columns.density !== 'comfortable'
  return (
    <>
      <ul>
        {table
          .getAllLeafColumns()
          .filter((column) => column.getCanHide())
          .map((column) => (
            <ColumnItem
              key={column.id}
              column={column}
              move={move}
              place={order.indexOf(column.id)}
              table={table}
            />
          ))}
      </ul>
      <Segmented
        label="Rows"
        labelShown
        size="small"
        className="mt-2 border-t pt-2"
        options={DENSITY_OPTIONS}
        value={columns.density}
        onChange={columns.setDensity}
      />
      <Notes isNamed={columns.isNamed} leavesUntil={leavesUntil} />
      <Button
        size="small"
        className="mt-2 w-full"
        aria-disabled={!isOwn || undefined}
        onClick={() => {
          if (!isOwn) return
          columns.reset()
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
  column: TableColumn
  place: number
  table: ColumnTable
  move: (column: TableColumn, steps: number) => void
}

function ColumnItem({ column, place, table, move }: ColumnItemProps) {
  const label = labelOf(column)
  const isShown = column.getIsVisible()
  return (
    <li className="flex items-center gap-0.5">
      <Checkbox
        label={label}
        className="min-w-0 grow"
        checked={isShown}
        disabled={isShown && table.getVisibleLeafColumns().length === 1}
        onChange={() => column.toggleVisibility()}
      />
      <MoveButton name={`Move ${label} left`} isOff={place === 0} onMove={() => move(column, -1)}>
        ←
      </MoveButton>
      <MoveButton
        name={`Move ${label} right`}
        isOff={place === table.getAllLeafColumns().length - 1}
        onMove={() => move(column, 1)}
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

type NotesProps = Pick<Columns, 'isNamed'> & Pick<ColumnsMenuProps, 'leavesUntil'>

function Notes({ isNamed, leavesUntil }: NotesProps) {
  return (
    <>
      {isNamed && (
        <p className="mt-2 text-sm text-ink-3">
          These columns come from the link. Your changes are saved as your own.
        </p>
      )}
      {leavesUntil === 'changed' && (
        <p className="mt-2 text-sm text-ink-3 max-sm:hidden min-[80rem]:hidden">
          Columns that do not fit into the window are hidden until you change one.
        </p>
      )}
      {leavesUntil === 'others hidden' && (
        <p className="mt-2 text-sm text-ink-3 max-sm:hidden min-[90rem]:hidden">
          Columns that do not fit into the window are hidden. Hide others to make room.
        </p>
      )}
      {useStorageProblem() !== null && (
        <p className="mt-2 text-sm text-rating-text-1">
          This browser does not let the page store anything: your choice lasts until you leave.
        </p>
      )}
    </>
  )
}
