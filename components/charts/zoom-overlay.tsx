'use client'

import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { formatDay } from '#components/format/instants.ts'
import { useEscape } from '#components/ui/use-browser.ts'
import type { PaneFrame } from './chart-data.ts'
import { toColumn, toX } from './time-axis.ts'

export type ZoomOverlayProps = {
  frame: PaneFrame
  label: string
  reader: Reader
  onRead: (reader: Reader, place: Position | null) => void
  /** Seconds since 1970, `to` is exclusive. Undefined disables zooming. */
  onZoom?: ((range: { from: number; to: number }) => void) | undefined
  onPress?: ((position: Position) => void) | undefined
  onOtherKey?: ((event: KeyboardEvent) => void) | undefined
  keysHint?: string
  isOverMark?: boolean
  children?: ReactNode
}

const KEYS =
  'Arrow keys go from one point to the next, Page Up and Page Down by ten, Home and End to the ends.'
const ZOOM_KEYS = 'Shift with them selects a range, Enter zooms to it. Escape leaves.'

export function ZoomOverlay(props: ZoomOverlayProps) {
  const { frame, label, reader, onRead, keysHint = '', isOverMark = false, children } = props
  const hintId = useId()
  const count = frame.edges.length - 1
  const canZoom = props.onZoom !== undefined && count > 2
  const selected = toSelected(reader, count)
  const zoom = (columns: Columns) => {
    const [from, to] = toRange(frame, columns)
    onRead(NOWHERE, null)
    props.onZoom?.({ from, to })
  }
  const { dragged, events } = useDrag({
    toColumns: (startX, endX) =>
      canZoom ? toSelection(toColumn(frame, startX), toColumn(frame, endX), count) : null,
    onPoint: (place) =>
      onRead(place ? { index: toColumn(frame, place.x), anchor: null } : NOWHERE, place),
    onSelect: zoom,
    onPress: (place) => props.onPress?.(place),
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter' && selected && canZoom) {
      event.preventDefault()
      return zoom(selected)
    }
    const next = pressKey(reader, { key: event.key, shiftKey: event.shiftKey && canZoom }, count)
    if (next === null) return props.onOtherKey?.(event)
    event.preventDefault()
    event.stopPropagation()
    onRead(next, null)
  }
  const shown = dragged ?? selected
  return (
    <div
      aria-describedby={hintId}
      aria-label={label}
      className="absolute inset-0 touch-pan-y select-none focus-visible:-outline-offset-2"
      onBlur={() => onRead(NOWHERE, null)}
      onKeyDown={onKeyDown}
      {...events}
      role="application"
      style={{ cursor: isOverMark ? 'pointer' : canZoom ? 'crosshair' : 'default' }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys.
      tabIndex={0}
    >
      <p hidden id={hintId}>
        {[KEYS, canZoom ? ZOOM_KEYS : 'Escape leaves.', keysHint].join(' ')}
      </p>
      {children}
      {shown && <Band frame={frame} columns={shown} />}
      <p className="sr-only" role="status">
        {selected && `Selected ${toSelectionText(frame, selected)}. Enter zooms to it.`}
      </p>
    </div>
  )
}

function Band({ frame, columns }: { frame: PaneFrame; columns: Columns }) {
  const note = useRef<HTMLDivElement>(null)
  const [from, to] = toRange(frame, columns)
  const [left, right] = [toX(frame, from), toX(frame, to)]
  useLayoutEffect(() => {
    if (!note.current) return
    const { offsetWidth } = note.current
    const room = frame.width - frame.right - offsetWidth
    const x = Math.max(frame.left, Math.min(room, (left + right - offsetWidth) / 2))
    note.current.style.transform = `translateX(${x}px)`
  })
  return (
    <>
      <div
        className="pointer-events-none absolute inset-y-0 left-0 w-px origin-left bg-accent opacity-15 forced-colors:bg-[Highlight]"
        style={{ transform: `translateX(${left}px) scaleX(${right - left})` }}
      />
      <div
        ref={note}
        aria-hidden
        className="pointer-events-none absolute top-[3px] left-0 z-20 rounded-md border border-accent bg-surface px-2 py-0.5 text-xs whitespace-nowrap text-ink"
      >
        {toSelectionText(frame, columns)}
      </div>
    </>
  )
}

const toRange = ({ edges }: PaneFrame, { from, to }: Columns): [number, number] => [
  edges[from] ?? 0,
  edges[to] ?? 0,
]

function toSelectionText(frame: PaneFrame, columns: Columns): string {
  const [from, to] = toRange(frame, columns)
  return `${formatDay(from)} to ${formatDay(to - 1)}`
}

type Columns = { from: number; to: number }

const FEWEST = 2

/** Returns at least two buckets; null if the chart has no more. */
export function toSelection(began: number, reached: number, count: number): Columns | null {
  if (count <= FEWEST) return null
  const within = (column: number) => Math.max(0, Math.min(count - 1, column))
  const [first, last] = [within(Math.min(began, reached)), within(Math.max(began, reached))]
  if (last > first) return { from: first, to: last + 1 }
  const from = Math.min(first, count - FEWEST)
  return { from, to: from + FEWEST }
}

export type Reader = { index: number | null; anchor: number | null }

export const NOWHERE: Reader = { index: null, anchor: null }

const PAGE = 10

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -PAGE,
  PageDown: PAGE,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

type KeyPress = { key: string; shiftKey: boolean }

/** Null if the key is not handled. Escape first clears the selection, then the position. */
export function pressKey(
  reader: Reader,
  { key, shiftKey }: KeyPress,
  count: number,
): Reader | null {
  const { index, anchor } = reader
  if (key === 'Escape') {
    if (anchor !== null) return { index, anchor: null }
    return index === null ? null : NOWHERE
  }
  const step = STEPS[key]
  if (step === undefined || count === 0) return null
  const start = index ?? (step < 0 && key !== 'Home' ? count : -1)
  const within = (column: number) => Math.max(0, Math.min(count - 1, column))
  return { index: within(start + step), anchor: shiftKey ? (anchor ?? within(start)) : null }
}

export const toSelected = ({ index, anchor }: Reader, count: number): Columns | null =>
  index === null || anchor === null ? null : toSelection(anchor, index, count)

type Position = { x: number; y: number }

type DragActions = {
  toColumns: (startX: number, toX: number) => Columns | null
  onPoint: (place: Position | null) => void
  onSelect: (columns: Columns) => void
  onPress: (position: Position) => void
}

type Press = {
  start: Position
  isTouch: boolean
  isMoving: boolean
  isSelecting: boolean
  timer?: ReturnType<typeof setTimeout>
}

const SLACK_PX = 5
const LONG_PRESS_MS = 350

/**
 * A finger slides sideways to read, selects after a long press, and scrolls vertically
 * (`touch-action: pan-y`). Escape cancels.
 */
function useDrag({ toColumns, onPoint, onSelect, onPress }: DragActions) {
  const press = useRef<Press>(null)
  const [dragged, setDragged] = useState<Columns | null>(null)
  const end = () => {
    clearTimeout(press.current?.timer)
    press.current = null
    setDragged(null)
  }
  useEscape(dragged !== null, end)
  const select = (now: Press, to: Position) => {
    now.isMoving = true
    now.isSelecting = true
    setDragged(toColumns(now.start.x, to.x))
    onPoint(null)
  }
  const events = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || !event.isPrimary) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const isTouch = event.pointerType === 'touch'
      const now: Press = { start: toPlace(event), isTouch, isMoving: false, isSelecting: false }
      if (isTouch) now.timer = setTimeout(() => select(now, now.start), LONG_PRESS_MS)
      press.current = now
    },
    onPointerMove: (event: PointerEvent) => {
      const now = press.current
      const place = toPlace(event)
      if (!now) return onPoint(place)
      if (!now.isMoving && Math.abs(place.x - now.start.x) < SLACK_PX) return
      clearTimeout(now.timer)
      now.isMoving = true
      if (now.isSelecting || !now.isTouch) select(now, place)
      else onPoint(place)
    },
    onPointerUp: (event: PointerEvent) => {
      const now = press.current
      if (!now) return
      const place = toPlace(event)
      const columns = now.isSelecting ? toColumns(now.start.x, place.x) : null
      end()
      if (columns) onSelect(columns)
      if (now.isMoving) return
      onPoint(place)
      onPress(place)
    },
    onPointerCancel: end,
    onPointerLeave: ({ pointerType }: PointerEvent) => {
      if (pointerType !== 'touch') onPoint(null)
    },
    onContextMenu: (event: MouseEvent) => {
      // A long press would open the context menu during a selection.
      if (press.current) event.preventDefault()
    },
  }
  return { dragged, events }
}

/** Children ignore pointer events, so offsets are relative to the overlay. */
const toPlace = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent): Position => ({
  x: offsetX,
  y: offsetY,
})
