import type { KeyboardEvent, MouseEvent, PointerEvent, SyntheticEvent } from 'react'
import { isPlainClick } from '#components/ui/button.tsx'
import { followPointer } from '#components/ui/follow-pointer.ts'
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
import { type FoundRow, isRatingLink, type RowContext } from './table-session.ts'

export function act(event: SyntheticEvent, context: RowContext, isOver: boolean): void {
  const { session } = context
  if (!session.get().isAwake) session.set({ isAwake: true })
  const hit = event.type === 'keydown' ? toKeyHit(event, context) : toHit(event.target, context)
  if (!hit) return
  if (event.type === 'focus') onFocus(hit, context)
  else if (event.type === 'click') onClick(event as MouseEvent, hit, context)
  else if (event.type === 'contextmenu') onContextMenu(event as MouseEvent, hit, context)
  else if (event.type === 'pointerdown') onPointerDown(event as PointerEvent, hit, context, isOver)
  else if (event.type === 'keydown') actOnKey(event as KeyboardEvent, hit, context)
}

function toHit(target: EventTarget, { rows }: RowContext): FoundRow | null {
  const element = target instanceof Element ? target.closest('tr') : null
  const id = Number(element?.dataset.rating)
  const row = rows.find((other) => other.id === id)
  return element && row ? { element, row } : null
}

/** A key pressed before this module loaded applies to the cursor's row. */
function toKeyHit({ target }: SyntheticEvent, context: RowContext): FoundRow | null {
  const { cursor } = context.session.get()
  const body = target instanceof HTMLTableRowElement ? target.parentElement : null
  const there = cursor !== null && body?.querySelector(`tr[data-rating="${cursor}"]`)
  return toHit(there || target, context)
}

const IN_ROW = 'a[href], input'

/** Only the focused row's links are tab stops. */
function onFocus({ element, row }: FoundRow, { session }: RowContext) {
  const body = element.parentElement
  for (const inner of body?.querySelectorAll<HTMLElement>('[data-reached]') ?? []) {
    if (element.contains(inner)) continue
    inner.tabIndex = -1
    delete inner.dataset.reached
  }
  for (const inner of element.querySelectorAll<HTMLElement>(IN_ROW)) {
    inner.tabIndex = 0
    inner.dataset.reached = ''
  }
  if (session.get().cursor !== row.id) session.set({ cursor: row.id })
}

const ACTS_ITSELF = 'a, button, input, label, summary'

/** Further away, a click is a text selection or an aborted press. */
const CLICK_WITHIN_PX = 5

let pressed = { x: 0, y: 0 }

const isDrag = ({ clientX, clientY, detail }: MouseEvent) =>
  detail > 0 && Math.hypot(clientX - pressed.x, clientY - pressed.y) > CLICK_WITHIN_PX

function onClick(event: MouseEvent, hit: FoundRow, context: RowContext) {
  const { target } = event
  if (!(target instanceof Element)) return
  if (isRatingLink(event)) {
    if (isPlainClick(event)) openRating(hit.row.id, context)
    return
  }
  if (target instanceof HTMLInputElement) {
    if (event.shiftKey) selectTo(hit.row, context)
    else toggleRow(hit.row, context)
    return
  }
  if (target.closest(ACTS_ITSELF) || event.button !== 0) return
  if (event.shiftKey) selectTo(hit.row, context)
  else if (event.ctrlKey || event.metaKey) toggleRow(hit.row, context)
  else if (!event.altKey && !isDrag(event) && window.getSelection()?.type !== 'Range') {
    openRating(hit.row.id, context)
  }
}

function onContextMenu(event: MouseEvent, { element, row }: FoundRow, context: RowContext) {
  if (!event.nativeEvent.defaultPrevented || context.session.get().menu) return
  const byKey = event.clientX === 0 && event.clientY === 0
  if (byKey || event.target === element) {
    openMenu({ element, row }, context)
    return
  }
  openMenu({ element, row }, context, { cell: event.target, anchor: toAnchor(event) })
}

const toAnchor = ({ clientX, clientY }: MouseEvent) => {
  const rect = new DOMRect(clientX, clientY)
  return { getBoundingClientRect: () => rect }
}

const LONG_PRESS_MS = 500
const STILL_PX = 10

/** Some browsers fire no `contextmenu` on a long touch. */
function onPointerDown(event: PointerEvent, hit: FoundRow, context: RowContext, isOver: boolean) {
  pressed = { x: event.clientX, y: event.clientY }
  if (event.pointerType !== 'touch' || isOver) return
  const { target } = event
  const anchor = toAnchor(event)
  let isLong = false
  const stop = followPointer(event.nativeEvent, {
    slackPx: STILL_PX,
    axis: 'both',
    restMs: LONG_PRESS_MS,
    onRest: () => {
      isLong = true
      if (!context.session.get().menu) openMenu(hit, context, { cell: target, anchor })
    },
    onMove: () => {
      if (!isLong) stop()
    },
    onEnd: (release) => {
      // Its mouse events would be a press beside the menu.
      if (isLong && release) window.addEventListener('touchend', prevent, PREVENT_ONCE)
    },
  })
}

const prevent = (event: Event) => event.preventDefault()
const PREVENT_ONCE = { capture: true, once: true, passive: false }

/** `isTaken` in ratings-table has already prevented the default. */
function actOnKey(event: KeyboardEvent, hit: FoundRow, context: RowContext): void {
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
