import { followPointer } from '#components/ui/follow-pointer.ts'
import { type ColumnSizes, toWidth, toWidths, WIDTH_MAX_PX } from './column-settings.ts'
import { type ColumnTable, withColumnAt } from './column-table.ts'

const DRAG_FROM_PX = 6
const SCROLL_WITHIN_PX = 40
const SCROLL_BY_PX = 14

type Drop = { at: string; isAfter: boolean }

export type HeaderAt = { header: HTMLTableCellElement; id: string; table: ColumnTable }

export function dragHeader(start: PointerEvent, { header, id, table }: HeaderAt): void {
  if (start.pointerType === 'touch') return
  const headers = headersBeside(header)
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
      if (end && to) table.setColumnOrder((order) => toDropped(order, id, to))
    },
  })
}

/** Without those that have left a narrow window. */
const headersBeside = (header: Element): HTMLElement[] =>
  [...(header.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? [])].filter(
    ({ offsetWidth }) => offsetWidth > 0,
  )

export function toDropped(order: readonly string[], id: string, { at, isAfter }: Drop): string[] {
  if (id === at) return [...order]
  const place = order.filter((other) => other !== id).indexOf(at)
  return withColumnAt(order, id, place + (isAfter ? 1 : 0))
}

function toDrop(headers: readonly HTMLElement[], x: number): Drop | null {
  for (const header of headers) {
    const { left, right } = header.getBoundingClientRect()
    const { column } = header.dataset
    const isLast = header === headers.at(-1)
    if ((x > right && !isLast) || column === undefined) continue
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
 * step.
 */
export function drawEdge(start: PointerEvent, at: HeaderAt): void {
  const element = at.header.closest('table')
  if (!element) return
  const startPx = at.header.getBoundingClientRect().width
  const before = withSize(at, startPx)
  const { sized } = element.dataset
  const least = element.style.getPropertyValue(LEAST_WIDTH)
  let sizes: ColumnSizes | null = null
  followPointer(start, {
    onMove: ({ clientX }) => {
      sizes = { ...before, [at.id]: toWidth(startPx + clientX - start.clientX) }
      setWidths(element, at, sizes)
    },
    onEnd: (end) => {
      if (!sizes) return
      setWidths(element, at, end ? sizes : at.table.atoms.columnSizing.get())
      // Rendering sets both.
      element.style.setProperty(LEAST_WIDTH, least)
      if (sized === undefined) delete element.dataset.sized
      if (end) at.table.setColumnSizing({ ...sizes })
    },
  })
}

const LEAST_WIDTH = '--least-width'

function setWidths(element: HTMLTableElement, { header, table }: HeaderAt, sizes: ColumnSizes) {
  const columns = table.getVisibleLeafColumns()
  const seen = headersBeside(header).map(({ dataset }) => dataset.column)
  const { widths } = toWidths(columns, sizes)
  const { leastPx } = toWidths(
    columns.filter(({ id }) => seen.includes(id)),
    sizes,
  )
  element.dataset.sized = ''
  element.style.setProperty(LEAST_WIDTH, `${leastPx}px`)
  for (const [place, column] of [...element.querySelectorAll('col')].entries()) {
    const px = widths[place] ?? null
    column.style.setProperty('--width', px === null ? '' : `${px}px`)
  }
}

/** Other columns keep their displayed width so that edges stay; the last one fills the rest. */
export function withSize({ header, id, table }: HeaderAt, px: number) {
  const seen = { ...table.atoms.columnSizing.get() }
  for (const cell of headersBeside(header)) {
    const { column } = cell.dataset
    if (column !== undefined) seen[column] = toWidth(cell.getBoundingClientRect().width)
  }
  const last = table.getVisibleLeafColumns().at(-1)
  if (last) seen[last.id] = Math.min(seen[last.id] ?? WIDTH_MAX_PX, last.getSize())
  return { ...seen, [id]: toWidth(px) }
}
