import type { KeyboardEvent, PointerEvent, SyntheticEvent } from 'react'
import { WIDTH_MAX_PX, WIDTH_MIN_PX } from './column-settings.ts'
import type { ColumnTable } from './column-table.ts'
import { dragHeader, drawEdge, type HeaderAt, withSize } from './header-drag.ts'

const STEP_PX = 8
const BIG_STEP_PX = 40

/** Bars and popovers of a header have their own gestures. */
const OWN_GESTURES = '[aria-hidden], [popover]'

export function act(event: SyntheticEvent, table: ColumnTable, isOver: boolean): void {
  if (!(event.target instanceof Element)) return
  const header = event.target.closest('th')
  const id = header?.dataset.column
  if (!header || id === undefined) return
  const at = { header, id, table }
  const isEdge = event.target.matches('[data-edge]')
  if (event.type === 'pointerdown') {
    const { button, nativeEvent } = event as PointerEvent
    if (button !== 0 || isOver) return
    if (isEdge) drawEdge(nativeEvent, at)
    else if (!event.target.closest(OWN_GESTURES)) dragHeader(nativeEvent, at)
  } else if (isEdge && event.type === 'keydown') onKey(event as KeyboardEvent, at)
  else if (isEdge && event.type === 'dblclick') table.getColumn(id)?.resetSize()
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
