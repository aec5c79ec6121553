import type { KeyboardEvent, PointerEvent, SyntheticEvent } from 'react'
import { isColumnId, WIDTH_MAX_PX, WIDTH_MIN_PX } from './columns.ts'
import { dragHeader, drawEdge, type HeaderAt, withSize } from './header-drag.ts'
import type { TableModel } from './use-ratings-table.ts'

const STEP_PX = 8
const BIG_STEP_PX = 40

export function act(event: SyntheticEvent, model: TableModel, isOver: boolean): void {
  if (!(event.target instanceof Element)) return
  const header = event.target.closest('th')
  const id = header?.dataset.column ?? ''
  if (!header || !isColumnId(id)) return
  const at = { header, id, model }
  const isEdge = event.target.matches('[data-edge]')
  if (event.type === 'pointerdown') {
    const { button, nativeEvent } = event as PointerEvent
    if (button !== 0 || isOver) return
    if (isEdge) drawEdge(nativeEvent, at)
    else if (!event.target.closest('[aria-hidden]')) dragHeader(nativeEvent, at)
  } else if (isEdge && event.type === 'keydown') onKey(event as KeyboardEvent, at)
  else if (isEdge && event.type === 'dblclick') model.table.getColumn(id)?.resetSize()
}

function onKey({ key, shiftKey }: KeyboardEvent, { header, id, model }: HeaderAt) {
  const nowPx = header.getBoundingClientRect().width
  const stepPx = shiftKey ? BIG_STEP_PX : STEP_PX
  const widths: Readonly<Record<string, number>> = {
    ArrowLeft: nowPx - stepPx,
    ArrowRight: nowPx + stepPx,
    Home: WIDTH_MIN_PX,
    End: WIDTH_MAX_PX,
  }
  const px = widths[key]
  if (px !== undefined) model.table.setColumnSizing(withSize({ header, id, model }, px))
  else if (key === 'Enter') model.table.getColumn(id)?.resetSize()
}
