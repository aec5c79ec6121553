'use client'

import { type RefObject, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { COLUMN_FACTS } from '#components/columns/column-facts.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { toCellWords } from './cell-values.ts'
import { openMenu } from './open-menu.ts'
import type { RowContext } from './row-context.ts'
import { useSession } from './use-session.ts'

const CELL = 'tr[data-rating] > td'

/**
 * The way to a cell's menu by pointer: one button for the whole table, in the cell that the pointer is over or in the
 * row that the keyboard is at. The table is not drawn again for it.
 */
export function CellButton({ context }: { context: RowContext }) {
  const { session, rows, shown, zone } = context
  const button = useRef<HTMLButtonElement>(null)
  const cell = useCellAtHand(context, button)
  const cursor = useSession(session, 'cursor')
  const formats = useFormats()
  const element = cell?.closest('tr')
  const row = rows.find(({ id }) => id === Number(element?.dataset.rating))
  const column = cell && shown[cell.cellIndex]
  if (!cell?.isConnected || !element || !row || !column) return null
  const isAtEnd = !('isNumeric' in COLUMN_FACTS[column])
  return createPortal(
    <button
      ref={button}
      type="button"
      aria-haspopup="menu"
      aria-label={`Filter by ${toCellWords(row, column, { formats, zone })}`}
      tabIndex={cursor === row.id ? 0 : -1}
      className={classNames('cell-button', isAtEnd ? 'right-0.5' : 'left-0.5')}
      onClick={({ currentTarget }) =>
        openMenu({ element, row }, context, { cell, place: currentTarget.getBoundingClientRect() })
      }
    >
      <svg viewBox="0 0 10 10" aria-hidden className="size-2.5" fill="none" stroke="currentColor">
        <path d="M1 2h8M2.5 5h5M4 8h2" strokeWidth="1.3" strokeLinecap="round" />
      </svg>
    </button>,
    cell,
  )
}

/** The cell that the pointer is over, or where the keyboard is. It stays while the button itself has the focus. */
function useCellAtHand(
  { frame }: RowContext,
  button: RefObject<HTMLButtonElement | null>,
): HTMLTableCellElement | null {
  const [cell, setCell] = useState<HTMLTableCellElement | null>(null)
  useEffect(() => {
    const element = frame.current
    const go = (next: HTMLTableCellElement | null) => {
      if (document.activeElement !== button.current || !button.current) setCell(next)
    }
    const onOver = ({ target, pointerType, buttons }: PointerEvent) => {
      // What comes into a cell would end the marking of its text.
      if (pointerType === 'touch' || buttons !== 0) return
      if (target instanceof Element) go(target.closest(CELL))
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLTableRowElement && target.matches(':focus-visible')) {
        go(toRoomiest(target))
      }
    }
    const onLeave = () => go(null)
    // The pointer was there, or the keyboard, before this was loaded.
    const focused = element?.querySelector<HTMLTableRowElement>('tr[data-rating]:focus-visible')
    if (focused) go(toRoomiest(focused))
    else go(element?.querySelector<HTMLTableCellElement>(`${CELL}:hover:not(:active)`) ?? null)
    element?.addEventListener('pointerover', onOver)
    element?.addEventListener('pointerleave', onLeave)
    element?.addEventListener('focusin', onFocus)
    return () => {
      element?.removeEventListener('pointerover', onOver)
      element?.removeEventListener('pointerleave', onLeave)
      element?.removeEventListener('focusin', onFocus)
    }
  }, [frame, button])
  return cell
}

/** Where a button covers least. */
const toRoomiest = ({ cells }: HTMLTableRowElement): HTMLTableCellElement | null =>
  [...cells].reduce<HTMLTableCellElement | null>(
    (most, cell) => (most && most.clientWidth >= cell.clientWidth ? most : cell),
    null,
  )
