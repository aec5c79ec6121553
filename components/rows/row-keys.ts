import type { KeyboardEvent } from 'react'
import { goToRow, pageSteps } from './go-to-row.ts'
import { openMenu } from './open-menu.ts'
import {
  clearSelection,
  copyRows,
  openRating,
  selectTo,
  togglePage,
  toggleRow,
} from './row-commands.ts'
import type { Hit, RowContext } from './row-context.ts'

/** The keys of a row. What the browser may not do besides has been said before (row-events). */
export function actOnKey(event: KeyboardEvent, hit: Hit, context: RowContext): void {
  if (!event.nativeEvent.defaultPrevented) return
  if (event.ctrlKey || event.metaKey) {
    if (event.key === 'a') togglePage(context)
    else void copyRows('cells', context)
    return
  }
  const { key } = event
  if (key === 'Enter') openRating(hit.row.id, context)
  else if (key === ' ' && event.shiftKey) selectTo(hit.row, context)
  else if (key === ' ') toggleRow(hit.row, context)
  else if (key === 'Escape') leave(context)
  else if (key === 'f' || key === 'F10' || key === 'ContextMenu') openMenu(hit, context)
  else move(event, hit, context)
}

/** What is open closes; where nothing is, the selection ends. */
function leave(context: RowContext) {
  if (context.session.get().open === null) clearSelection(context)
  else context.change((view) => ({ ...view, open: null }))
}

function move(event: KeyboardEvent, { row }: Hit, context: RowContext) {
  const { rows, session } = context
  const at = rows.indexOf(row)
  const step = pageSteps(context)
  const targets: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    PageUp: at - step,
    PageDown: at + step,
    Home: 0,
    End: rows.length - 1,
  }
  const target = rows[Math.max(0, Math.min(rows.length - 1, targets[event.key] ?? at))]
  if (!target) return
  if (event.shiftKey) {
    if (session.get().anchor === null) session.set({ anchor: row.id })
    selectTo(target, context)
  }
  goToRow(target.id, context)
}
