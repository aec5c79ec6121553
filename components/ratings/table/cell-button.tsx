'use client'

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { toCellWords } from './cell-values.ts'
import { openMenu } from './commands.ts'
import { type RowContext, useSession } from './table-session.ts'

const CELL = 'tr[data-rating] > td'

/** A portal moves the button, so that the table does not render. */
export function CellButton({ context }: { context: RowContext }) {
  const { session, rows, shown, zone } = context
  const button = useRef<HTMLButtonElement>(null)
  const cell = useCellAtHand(context, button)
  const cursor = useSession(session, 'cursor')
  const element = cell?.closest('tr')
  const row = rows.find(({ id }) => id === Number(element?.dataset.rating))
  const column = cell && shown[cell.cellIndex]
  useLayoutEffect(() => {
    if (button.current && cell) place(button.current, cell)
  })
  if (!cell?.isConnected || !element || !row || !column) return null
  return createPortal(
    <button
      ref={button}
      type="button"
      aria-haspopup="menu"
      aria-label={`Filter by ${toCellWords(row, column, { zone })}`}
      tabIndex={cursor === row.id ? 0 : -1}
      className="cell-button"
      onClick={({ currentTarget }) =>
        openMenu({ element, row }, context, { cell, anchor: currentTarget })
      }
    >
      <svg viewBox="0 0 10 10" aria-hidden className="size-2.5" fill="none" stroke="currentColor">
        <path d="M1 2h8M2.5 5h5M4 8h2" strokeWidth="1.3" strokeLinecap="round" />
      </svg>
    </button>,
    cell,
  )
}

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
      // Inserting the button would end a text selection.
      if (pointerType === 'touch' || buttons !== 0) return
      if (target instanceof Element) go(target.closest(CELL))
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLTableRowElement && target.matches(':focus-visible')) {
        go(toRoomiest(target))
      }
    }
    const onLeave = () => go(null)
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

const toRoomiest = ({ cells }: HTMLTableRowElement): HTMLTableCellElement | null =>
  [...cells].reduce<HTMLTableCellElement | null>(
    (most, cell) => (most && most.clientWidth >= cell.clientWidth ? most : cell),
    null,
  )

const BUTTON_PX = 24
const GAP_PX = 1

/** Window pixels. */
export type Extent = { left: number; right: number }

type CellLayout = {
  cell: Extent
  text: Extent | null
  before: number
  after: number
  isNumeric: boolean
}

/** Null if the button would cover text on both sides. */
export function toButtonPlace(layout: CellLayout): number | null {
  const { cell, before, after, isNumeric } = layout
  const text = layout.text ?? (isNumeric ? at(cell.right) : at(cell.left))
  const atEnd = Math.max(text.right + GAP_PX, Math.min(cell.right, after) - BUTTON_PX - GAP_PX)
  const atStart = Math.min(text.left - GAP_PX, Math.max(cell.left, before) + BUTTON_PX + GAP_PX)
  const end = atEnd + BUTTON_PX + GAP_PX <= after ? atEnd : null
  const start = atStart - BUTTON_PX - GAP_PX >= before ? atStart - BUTTON_PX : null
  return isNumeric ? (start ?? end) : (end ?? start)
}

const at = (x: number): Extent => ({ left: x, right: x })

function place(button: HTMLElement, cell: HTMLTableCellElement): void {
  const { left, right } = cell.getBoundingClientRect()
  const [previous, next] = [cell.previousElementSibling, cell.nextElementSibling]
  const isFirst = previous === null
  const x = toButtonPlace({
    cell: { left, right },
    text: toTextExtent(cell, ''),
    before: isFirst ? left + CHECK_PX : (toTextExtent(previous, DRAWN)?.right ?? left),
    after: next ? (toTextExtent(next, DRAWN)?.left ?? right) : right,
    isNumeric: getComputedStyle(cell).textAlign === 'right',
  })
  button.hidden = x === null
  if (x !== null) button.style.left = `${x - left - cell.clientLeft}px`
}

const CHECK_PX = 24

const DRAWN = '.votes'

function toTextExtent(cell: Element, drawn: string): Extent | null {
  const box = cell.getBoundingClientRect()
  const rects =
    drawn === ''
      ? []
      : [...cell.querySelectorAll(drawn)].map((part) => part.getBoundingClientRect())
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  while (walker.nextNode()) {
    if (walker.currentNode.parentElement?.closest('.sr-only, .cell-button')) continue
    range.selectNodeContents(walker.currentNode)
    rects.push(...range.getClientRects())
  }
  for (const mark of cell.querySelectorAll('[data-glyph]')) rects.push(mark.getBoundingClientRect())
  const seen = rects.filter(({ top, bottom, width }) => {
    const middle = (top + bottom) / 2
    return width > 0 && middle > box.top && middle < box.bottom
  })
  if (seen.length === 0) return null
  const begin = cell.matches('[data-glyph]') ? [box.left] : seen.map(({ left }) => left)
  return {
    left: Math.max(box.left, Math.min(...begin)),
    right: Math.min(box.right, Math.max(...seen.map(({ right }) => right))),
  }
}
