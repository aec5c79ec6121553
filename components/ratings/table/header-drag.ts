import { followPointer } from '#components/ui/follow-pointer.ts'
import {
  type ColumnId,
  type ColumnSizes,
  isColumnId,
  knownColumns,
  toWidth,
  toWidths,
  withColumnAt,
} from './columns.ts'
import type { TableModel } from './use-ratings-table.ts'

const DRAG_FROM_PX = 6
const SCROLL_WITHIN_PX = 40
const SCROLL_BY_PX = 14

type Drop = { at: ColumnId; isAfter: boolean }

export function dragHeader(start: PointerEvent, { header, id, model }: HeaderAt): void {
  if (start.pointerType === 'touch') return
  const headers = [...(header.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? [])]
  const frame = header.closest('section')
  let drop: Drop | null = null
  followPointer(start, {
    slackPx: DRAG_FROM_PX,
    onMove: ({ clientX: x }) => {
      if (frame) scrollAlong(frame, x)
      header.dataset.dragged = ''
      drop = toDrop(headers, x)
      mark(headers, drop)
    },
    onEnd: (end) => {
      delete header.dataset.dragged
      mark(headers, null)
      const to = drop
      if (end && to) model.table.setColumnOrder((order) => toDropped(order, id, to))
    },
  })
}

export function toDropped(order: readonly string[], id: ColumnId, { at, isAfter }: Drop): string[] {
  const known = knownColumns(order)
  if (id === at) return known
  const place = known.filter((other) => other !== id).indexOf(at)
  return withColumnAt(known, id, place + (isAfter ? 1 : 0))
}

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

/**
 * The table library's resizing starts from the nominal width, ignores Escape and renders on every
 * step (docs/decisions/045).
 */
export function drawEdge(start: PointerEvent, at: HeaderAt): void {
  const element = at.header.closest('table')
  if (!element) return
  const startPx = at.header.getBoundingClientRect().width
  const before = withSize(at, startPx)
  let sizes: ColumnSizes | null = null
  followPointer(start, {
    onMove: ({ clientX }) => {
      sizes = { ...before, [at.id]: toWidth(startPx + clientX - start.clientX) }
      setWidths(element, at, sizes)
    },
    onEnd: (end) => {
      if (sizes && end) at.model.table.setColumnSizing({ ...sizes })
      else setWidths(element, at, at.model.table.atoms.columnSizing.get())
    },
  })
}

function setWidths(element: HTMLTableElement, { model: { table } }: HeaderAt, sizes: ColumnSizes) {
  const { widths, leastPx } = toWidths(table.getVisibleLeafColumns(), sizes)
  element.style.setProperty('--least-width', `${leastPx}px`)
  for (const [place, column] of [...element.querySelectorAll('col')].entries()) {
    const px = widths[place] ?? null
    column.style.setProperty('--width', px === null ? '' : `${px}px`)
  }
}

/** Other columns keep their displayed width so that edges stay; the last one fills the rest. */
export function withSize({ header, id, model: { table } }: HeaderAt, px: number) {
  const seen = { ...table.atoms.columnSizing.get() }
  for (const cell of header.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? []) {
    const { column = '' } = cell.dataset
    if (isColumnId(column)) seen[column] = toWidth(cell.getBoundingClientRect().width)
  }
  const last = table.getVisibleLeafColumns().at(-1)
  if (last) seen[last.id] = last.getSize()
  return { ...seen, [id]: toWidth(px) }
}

export type HeaderAt = { header: HTMLTableCellElement; id: ColumnId; model: TableModel }
