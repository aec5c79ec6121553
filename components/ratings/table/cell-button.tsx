'use client'

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useFormats } from '#components/format/use-formats.tsx'
import { toCellWords } from './cell-values.ts'
import { openMenu } from './commands.ts'
import { type RowContext, useSession } from './table-session.ts'

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
  // Every time, because another text may stand there by now.
  useLayoutEffect(() => {
    if (button.current && cell) place(button.current, cell)
  })
  if (!cell?.isConnected || !element || !row || !column) return null
  return createPortal(
    <button
      ref={button}
      type="button"
      aria-haspopup="menu"
      aria-label={`Filter by ${toCellWords(row, column, { formats, zone })}`}
      tabIndex={cursor === row.id ? 0 : -1}
      className="cell-button"
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

/** Where there is most room for a button. */
const toRoomiest = ({ cells }: HTMLTableRowElement): HTMLTableCellElement | null =>
  [...cells].reduce<HTMLTableCellElement | null>(
    (most, cell) => (most && most.clientWidth >= cell.clientWidth ? most : cell),
    null,
  )

const BUTTON_PX = 24
const GAP_PX = 1

/** The two ends of what is seen of a cell along its row, in CSS pixels of the window. */
export type Extent = { left: number; right: number }

type Surroundings = {
  cell: Extent
  /** What stands in the cell; null where it is empty. */
  text: Extent | null
  /** Where what stands before and after the cell ends and begins. */
  before: number
  after: number
  /** Numbers stand at the right. */
  isNumeric: boolean
}

/**
 * Where a cell's button begins, so that it covers no text: at the free side of the cell, in the margins between the cells
 * too, else at the other side. Null where there is no room at all.
 */
export function toButtonPlace(surroundings: Surroundings): number | null {
  const { cell, before, after, isNumeric } = surroundings
  const text = surroundings.text ?? (isNumeric ? at(cell.right) : at(cell.left))
  const atEnd = Math.max(text.right + GAP_PX, Math.min(cell.right, after) - BUTTON_PX - GAP_PX)
  const atStart = Math.min(text.left - GAP_PX, Math.max(cell.left, before) + BUTTON_PX + GAP_PX)
  const end = atEnd + BUTTON_PX + GAP_PX <= after ? atEnd : null
  const start = atStart - BUTTON_PX - GAP_PX >= before ? atStart - BUTTON_PX : null
  return isNumeric ? (start ?? end) : (end ?? start)
}

const at = (x: number): Extent => ({ left: x, right: x })

/** Puts the button where it covers nothing; it is not there where there is no such place. */
function place(button: HTMLElement, cell: HTMLTableCellElement): void {
  const { left, right } = cell.getBoundingClientRect()
  const [previous, next] = [cell.previousElementSibling, cell.nextElementSibling]
  const isFirst = previous === null
  const x = toButtonPlace({
    cell: { left, right },
    text: toTextExtent(cell, ''),
    // What selects the row stands before the first.
    before: isFirst ? left + CHECK_PX : (toTextExtent(previous, DRAWN)?.right ?? left),
    after: next ? (toTextExtent(next, DRAWN)?.left ?? right) : right,
    isNumeric: getComputedStyle(cell).textAlign === 'right',
  })
  button.hidden = x === null
  if (x !== null) button.style.left = `${x - left - cell.clientLeft}px`
}

const CHECK_PX = 24

/** What is drawn beside a number; the cell's own gives way to the button. */
const DRAWN = '.votes'

/** From the first to the last letter that is seen of a cell, with what is drawn in it. */
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
  // What has wrapped to a second line is cut off.
  const seen = rects.filter(({ top, bottom, width }) => {
    const middle = (top + bottom) / 2
    return width > 0 && middle > box.top && middle < box.bottom
  })
  if (seen.length === 0) return null
  // The glyph before a label is drawn where the cell begins.
  const begin = cell.matches('[data-glyph]') ? [box.left] : seen.map(({ left }) => left)
  return {
    left: Math.max(box.left, Math.min(...begin)),
    right: Math.min(box.right, Math.max(...seen.map(({ right }) => right))),
  }
}
