import type { KeyboardEvent, PointerEvent as ReactPointerEvent, SyntheticEvent } from 'react'
import { followPointer } from '#components/ui/follow-pointer.ts'
import {
  type ColumnSizes,
  toWidth,
  toWidths,
  WIDTH_MAX_PX,
  WIDTH_MIN_PX,
} from './column-settings.ts'
import type { ColumnTable } from './column-table.ts'

type HeaderAt = { header: HTMLTableCellElement; id: string; table: ColumnTable }

const STEP_PX = 8
const BIG_STEP_PX = 40

/** Events of the edges of columns. */
export function act(event: SyntheticEvent, table: ColumnTable, isOver: boolean): void {
  if (!(event.target instanceof Element) || !event.target.matches('[data-edge]')) return
  const header = event.target.closest('th')
  const id = header?.dataset.column
  if (!header || id === undefined) return
  const at = { header, id, table }
  if (event.type === 'pointerdown') {
    const { button, nativeEvent } = event as ReactPointerEvent
    if (button === 0 && !isOver) drawEdge(nativeEvent, at)
  } else if (event.type === 'keydown') onKey(event as KeyboardEvent, at)
  else if (event.type === 'dblclick') table.getColumn(id)?.resetSize()
}

function onKey({ key, shiftKey }: KeyboardEvent, at: HeaderAt) {
  const nowPx = at.header.getBoundingClientRect().width
  const stepPx = shiftKey ? BIG_STEP_PX : STEP_PX
  const widths: Readonly<Record<string, number>> = {
    ArrowLeft: nowPx - stepPx,
    ArrowRight: nowPx + stepPx,
    Home: WIDTH_MIN_PX,
    End: WIDTH_MAX_PX,
  }
  const px = widths[key]
  if (px !== undefined) at.table.setColumnSizing(withSize(at, px))
  else if (key === 'Enter') at.table.getColumn(at.id)?.resetSize()
}

/** Without those that have left a narrow window. */
const headersBeside = (header: Element): HTMLElement[] =>
  [...(header.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? [])].filter(
    ({ offsetWidth }) => offsetWidth > 0,
  )

/**
 * The table library's resizing starts from the nominal width, ignores Escape and renders on every
 * step.
 */
function drawEdge(start: PointerEvent, at: HeaderAt): void {
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
function withSize({ header, id, table }: HeaderAt, px: number) {
  const seen = { ...table.atoms.columnSizing.get() }
  for (const cell of headersBeside(header)) {
    const { column } = cell.dataset
    if (column !== undefined) seen[column] = toWidth(cell.getBoundingClientRect().width)
  }
  const last = table.getVisibleLeafColumns().at(-1)
  if (last) seen[last.id] = Math.min(seen[last.id] ?? WIDTH_MAX_PX, last.getSize())
  return { ...seen, [id]: toWidth(px) }
}
