import { useRouter } from 'next/navigation'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useRef,
} from 'react'
import { isPlainClick } from '#components/ui/button.tsx'
import { withoutBase } from '#lib/contract/base-path.ts'
import {
  clearSelection,
  copyRows,
  openMenu,
  openRating,
  selectTo,
  togglePage,
  toggleRow,
} from './commands.ts'
import { goToRow, pageSteps } from './scroll-to-row.ts'
import type { FoundRow, RowContext } from './table-session.ts'

/** Handlers of the table's body, one set for all rows. */
export function useRowEvents(context: RowContext) {
  const { push } = useRouter()
  const press = useRef<Press>({ x: 0, y: 0, isLong: false })
  const end = () => clearTimeout(press.current.timer)
  return {
    onClick: (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a')
      // Keyboard clicks have `detail` 0.
      if (press.current.isLong && event.detail > 0) event.preventDefault()
      else if (!(link instanceof HTMLAnchorElement)) onClick(event, press.current, context)
      else if (isPlainClick(event)) {
        event.preventDefault()
        const row = toRow(link, context)
        if ('open' in link.dataset && row) openRating(row.row.id, context)
        else push((withoutBase(link.pathname) ?? link.pathname) + link.search)
      }
    },
    onMouseDown: (event: MouseEvent) => {
      // Shift would select text.
      if (event.shiftKey) event.preventDefault()
    },
    onPointerDown: (event: PointerEvent) => {
      press.current = toPress(event, context)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (distance(press.current, { clientX, clientY }) > STILL_PX) end()
    },
    onPointerUp: () => {
      end()
      // Its emulated mouse events would count as a press outside the menu.
      if (press.current.isLong) window.addEventListener('touchend', prevent, PREVENT_ONCE)
    },
    onPointerCancel: end,
    onContextMenu: (event: MouseEvent) => onContextMenu(event, context),
    onKeyDown: (event: KeyboardEvent) => onKeyDown(event, context),
    onFocus: (event: FocusEvent) => onFocus(event, context),
  }
}

const prevent = (event: Event) => event.preventDefault()
const PREVENT_ONCE = { capture: true, once: true, passive: false }

const toRow = (target: EventTarget, { rows }: RowContext): FoundRow | null => {
  const element = target instanceof Element ? target.closest('tr') : null
  const id = Number(element?.dataset.rating)
  const row = rows.find((other) => other.id === id)
  return element && row ? { element, row } : null
}

const IN_ROW = 'a[href], input'

/** Only the focused row's links are tab stops. */
function onFocus({ target, currentTarget }: FocusEvent, context: RowContext) {
  const hit = toRow(target, context)
  if (!hit) return
  const { element, row } = hit
  for (const inner of currentTarget.querySelectorAll<HTMLElement>('[data-reached]')) {
    if (element.contains(inner)) continue
    inner.tabIndex = -1
    delete inner.dataset.reached
  }
  for (const inner of element.querySelectorAll<HTMLElement>(IN_ROW)) {
    inner.tabIndex = 0
    inner.dataset.reached = ''
  }
  const { session } = context
  if (session.get().cursor !== row.id) session.set({ cursor: row.id })
}

type Press = {
  x: number
  y: number
  /** The menu is open: the click that follows does nothing. */
  isLong: boolean
  timer?: ReturnType<typeof setTimeout>
}

const LONG_PRESS_MS = 500
const STILL_PX = 10

/** Some browsers fire no `contextmenu` on a long touch. */
function toPress(event: PointerEvent, context: RowContext): Press {
  const { clientX: x, clientY: y, pointerType, target } = event
  const press: Press = { x, y, isLong: false }
  const hit = toRow(target, context)
  if (pointerType === 'touch' && hit) {
    press.timer = setTimeout(() => {
      press.isLong = true
      if (!context.session.get().menu) openMenu(hit, context, toAnchor(event))
    }, LONG_PRESS_MS)
  }
  return press
}

function toAnchor({ target: cell, clientX, clientY }: MouseEvent) {
  const point = new DOMRect(clientX, clientY)
  return { cell, anchor: { getBoundingClientRect: () => point } }
}

const distance = ({ x, y }: Press, at: { clientX: number; clientY: number }): number =>
  Math.hypot(at.clientX - x, at.clientY - y)

const ACTS_ITSELF = 'button, label, summary'

/** Further away, a click is a text selection or an aborted press. */
const CLICK_WITHIN_PX = 5

function onClick(event: MouseEvent, press: Press, context: RowContext) {
  const { target, button, detail } = event
  const hit = toRow(target, context)
  if (!hit || !(target instanceof Element)) return
  const isBox = target instanceof HTMLInputElement
  if (!isBox && (target.closest(ACTS_ITSELF) || button !== 0)) return
  if (event.shiftKey) selectTo(hit.row, context)
  else if (isBox || event.ctrlKey || event.metaKey) toggleRow(hit.row, context)
  else if (!event.altKey && !isText()) {
    const isDrag = detail > 0 && distance(press, event) > CLICK_WITHIN_PX
    if (!isDrag) openRating(hit.row.id, context)
  }
}

const isText = () => window.getSelection()?.type === 'Range'

function onContextMenu(event: MouseEvent, context: RowContext) {
  if (event.shiftKey || isText()) return
  event.preventDefault()
  const hit = toRow(event.target, context)
  if (!hit || context.session.get().menu) return
  const byKey = event.clientX === 0 && event.clientY === 0
  openMenu(hit, context, byKey || event.target === hit.element ? undefined : toAnchor(event))
}

const KEYS = /^(Arrow(Up|Down)|Home|End|Page(Up|Down)|ContextMenu|[Ff])$/
const OWN_KEYS = /^(Enter| )$/

function isTaken(event: KeyboardEvent, { session, table }: RowContext): boolean {
  const { key, target, altKey, shiftKey } = event
  if (altKey || event.defaultPrevented) return false
  if (event.ctrlKey || event.metaKey) {
    return key === 'a' || (key === 'c' && table.getIsSomeRowsSelected() && !isText())
  }
  if (key === 'F10') return shiftKey
  if (OWN_KEYS.test(key)) return target instanceof HTMLTableRowElement
  if (key === 'Escape') return session.get().open !== null || table.getIsSomeRowsSelected()
  return KEYS.test(key)
}

function onKeyDown(event: KeyboardEvent, context: RowContext): void {
  if (!isTaken(event, context)) return
  event.preventDefault()
  const hit = toRow(event.target, context)
  if (!hit) return
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
  else if (key === 'f' || key === 'F' || key === 'F10' || key === 'ContextMenu')
    openMenu(hit, context)
  else move(event, hit, context)
}

function leave(context: RowContext) {
  if (context.session.get().open === null) clearSelection(context)
  else context.change((view) => ({ ...view, open: null }))
}

function move(event: KeyboardEvent, { row }: FoundRow, context: RowContext) {
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
