import {
  type ColumnId,
  type ColumnSizes,
  isColumnId,
  ownWidth,
  toWidth,
  toWidths,
  withDropped,
} from './columns.ts'
import { followPointer } from './pointer-gestures.ts'
import type { Columns } from './use-columns.ts'

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

/**
 * The edge follows the pointer. The widths are set in place and kept when it is let go: rows are not drawn anew for
 * each pixel, nor at all.
 */
export function drawEdge(start: PointerEvent, { header, id, columns }: HeaderAt): void {
  const table = header.closest('table')
  if (!table) return
  const startPx = header.getBoundingClientRect().width
  const before = withSize(header, columns, { id, px: toWidth(startPx) })
  let sizes: ColumnSizes | null = null
  followPointer(start, {
    onMove: (byPx) => {
      sizes = { ...before, [id]: toWidth(startPx + byPx) }
      setWidths(table, columns.shown, sizes)
    },
    onEnd: (isKept) => {
      if (sizes && isKept) columns.setSizes(sizes)
      else setWidths(table, columns.shown, columns.sizes)
    },
  })
}

function setWidths(
  table: HTMLTableElement,
  shown: HeaderAt['columns']['shown'],
  sizes: ColumnSizes,
) {
  const { widths, leastPx } = toWidths(shown, sizes)
  table.style.minWidth = `${leastPx}px`
  for (const [place, column] of [...table.querySelectorAll('col')].entries()) {
    const px = widths[place] ?? null
    column.style.width = px === null ? '' : `${px}px`
  }
}

/**
 * The widths once one column has another: every other keeps the one it is seen in, since an edge must not move another.
 * The last one takes what is left, so what it is seen in is not its own.
 */
export function withSize(
  header: HTMLTableCellElement,
  { shown, sizes }: Columns,
  { id, px }: { id: ColumnId; px: number },
): ColumnSizes {
  const seen: Partial<Record<ColumnId, number>> = { ...sizes }
  for (const cell of header.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? []) {
    const { column = '' } = cell.dataset
    if (isColumnId(column)) seen[column] = toWidth(cell.getBoundingClientRect().width)
  }
  const last = shown.at(-1)
  if (last) seen[last] = sizes[last] ?? ownWidth(last, shown.length === 1)
  return { ...seen, [id]: px }
}

/** The widths once a column has its own again. */
export const withoutSize = ({ sizes }: Columns, id: ColumnId): ColumnSizes =>
  Object.fromEntries(Object.entries(sizes).filter(([name]) => name !== id))

/** A column's header that something is done with. */
export type HeaderAt = { header: HTMLTableCellElement; id: ColumnId; columns: Columns }
