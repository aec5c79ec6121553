import type { Hit, RowContext } from './row-context.ts'

type At = { cell: EventTarget | null; place: DOMRectReadOnly | RowPlace }
type RowPlace = Pick<DOMRect, 'left' | 'top' | 'bottom' | 'width' | 'height'>

/** Offers what a cell holds, or all that its row holds where no cell is meant. */
export function openMenu({ element, row }: Hit, { session, shown, frame }: RowContext, at?: At) {
  const cell = at?.cell instanceof Element ? at.cell.closest('td') : null
  const column = cell ? (shown[cell.cellIndex] ?? null) : null
  session.set({
    cursor: row.id,
    menu: { row, column, origin: element, place: at?.place ?? toRowPlace(element, frame.current) },
  })
}

/** Below the beginning of a row, or of what is seen of it. */
function toRowPlace(element: Element, frame: Element | null): RowPlace {
  const { top, bottom, height, left } = element.getBoundingClientRect()
  const seenFrom = frame?.getBoundingClientRect().left ?? left
  return { top, bottom, height, left: Math.max(left, seenFrom) + 24, width: 0 }
}
