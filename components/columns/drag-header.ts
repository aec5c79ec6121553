import { type ColumnId, isColumnId } from './column-facts.ts'
import { withDropped } from './column-layout.ts'
import { followPointer } from './follow-pointer.ts'
import type { HeaderAt } from './header-at.ts'

/** Less than this is a click, which sorts. */
const DRAG_FROM_PX = 6
const SCROLL_WITHIN_PX = 40
const SCROLL_BY_PX = 14

type Drop = { at: ColumnId; isAfter: boolean }

/** Drags a column to another place. A finger scrolls the table instead: the menu of the columns moves them too. */
export function dragHeader(start: PointerEvent, { header, id, columns }: HeaderAt): void {
  if (start.pointerType === 'touch') return
  const headers = [...(header.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? [])]
  const frame = header.closest('section')
  let drop: Drop | null = null
  followPointer(start, {
    onMove: (byPx, x) => {
      if (!drop && Math.abs(byPx) < DRAG_FROM_PX) return
      if (frame) scrollAlong(frame, x)
      header.dataset.dragged = ''
      drop = toDrop(headers, x)
      mark(headers, drop)
    },
    onEnd: (isKept) => {
      delete header.dataset.dragged
      mark(headers, null)
      if (!drop) return
      swallowClick()
      if (isKept) columns.setLayout(withDropped(columns, id, drop))
    },
  })
}

/** Before or after the column whose middle is nearest. */
function toDrop(headers: readonly HTMLElement[], x: number): Drop | null {
  for (const header of headers) {
    const { left, right } = header.getBoundingClientRect()
    const { column = '' } = header.dataset
    const isLast = header === headers.at(-1)
    if ((x > right && !isLast) || !isColumnId(column)) continue
    return { at: column, isAfter: x > (left + right) / 2 }
  }
  return null
}

function mark(headers: readonly HTMLElement[], drop: Drop | null) {
  for (const header of headers) {
    if (drop && header.dataset.column === drop.at) {
      header.dataset.drop = drop.isAfter ? 'after' : 'before'
    } else delete header.dataset.drop
  }
}

function scrollAlong(frame: Element, x: number) {
  const { left, right } = frame.getBoundingClientRect()
  if (x > right - SCROLL_WITHIN_PX) frame.scrollLeft += SCROLL_BY_PX
  else if (x < left + SCROLL_WITHIN_PX) frame.scrollLeft -= SCROLL_BY_PX
}

/** The click that ends a drag on the header it began at would sort. */
function swallowClick() {
  const options = { capture: true, once: true }
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', swallow, options)
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }))
}
