'use client'

import {
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
} from 'react'
import { formatDay } from '#components/format/instants.ts'
import { followPointer } from '#components/ui/follow-pointer.ts'
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
  onOtherKey?: ((event: ReactKeyboardEvent) => void) | undefined
  keysHint?: string
  isOverMark?: boolean
  children?: ReactNode
}

const KEYS =
  'Arrow keys go from one point to the next, Page Up and Page Down by ten, Home and End to the ends.'
const ZOOM_KEYS = 'Shift with them selects a range, Enter zooms to it. Escape leaves.'

/** Direct DOM updates show the selection, so that dragging renders nothing. */
export function ZoomOverlay(props: ZoomOverlayProps) {
  const { frame, label, reader, keysHint = '', isOverMark = false, children } = props
  const { ref, bandRef, noteRef, zoom, canZoom } = useZoom(props)
  const hintId = useId()
  const count = frame.edges.length - 1
  const selected = toSelected(reader, count)
  const onKeyDown = (event: ReactKeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter' && selected && canZoom) {
      event.preventDefault()
      return zoom(selected)
    }
    const next = pressKey(reader, { key: event.key, shiftKey: event.shiftKey && canZoom }, count)
    if (next === null) return props.onOtherKey?.(event)
    event.preventDefault()
    event.stopPropagation()
    props.onRead(next, null)
  }
  return (
    <div
      ref={ref}
      aria-describedby={hintId}
      aria-label={label}
      className="absolute inset-0 touch-pan-y select-none focus-visible:-outline-offset-2"
      onBlur={() => props.onRead(NOWHERE, null)}
      onKeyDown={onKeyDown}
      role="application"
      style={{ cursor: isOverMark ? 'pointer' : canZoom ? 'crosshair' : 'default' }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys.
      tabIndex={0}
    >
      <p hidden id={hintId}>
        {[KEYS, canZoom ? ZOOM_KEYS : 'Escape leaves.', keysHint].join(' ')}
      </p>
      <div
        ref={bandRef}
        className="pointer-events-none absolute inset-y-0 left-0 w-px origin-left bg-accent opacity-15 forced-colors:bg-[Highlight]"
        hidden
      />
      {children}
      <div
        ref={noteRef}
        aria-hidden
        className="pointer-events-none absolute top-[3px] left-0 z-20 rounded-md border border-accent bg-surface px-2 py-0.5 text-xs whitespace-nowrap text-ink"
        hidden
      />
      <p className="sr-only" role="status">
        {selected && `Selected ${toSelectionText(frame, selected)}. Enter zooms to it.`}
      </p>
    </div>
  )
}

function useZoom({ frame, reader, onRead, onZoom, onPress }: ZoomOverlayProps) {
  const ref = useRef<HTMLDivElement>(null)
  const bandRef = useRef<HTMLDivElement>(null)
  const noteRef = useRef<HTMLDivElement>(null)
  const count = frame.edges.length - 1
  const canZoom = onZoom !== undefined && count > 2
  const show = (columns: Columns | null) =>
    showBand({ band: bandRef.current, note: noteRef.current }, frame, columns)
  const zoom = (columns: Columns) => {
    const [from, to] = toRange(frame, columns)
    onRead(NOWHERE, null)
    onZoom?.({ from, to })
  }
  const point = useEffectEvent((place: Position | null) =>
    onRead(place ? { index: toColumn(frame, place.x), anchor: null } : NOWHERE, place),
  )
  const columnsBetween = useEffectEvent((startX: number, endX: number) =>
    canZoom ? toSelection(toColumn(frame, startX), toColumn(frame, endX), count) : null,
  )
  const drag = useEffectEvent(show)
  const select = useEffectEvent(zoom)
  const press = useEffectEvent((position: Position) => onPress?.(position))
  // Subscribes once: a render during a drag must not end it.
  useEffect(() => {
    if (!ref.current) return
    return listenToDrag(ref.current, {
      toColumns: (startX, endX) => columnsBetween(startX, endX),
      onPoint: (place) => point(place),
      onDrag: (columns) => drag(columns),
      onSelect: (columns) => select(columns),
      onPress: (place) => press(place),
    })
  }, [])
  const byKeys = toSelected(reader, count)
  const [from, to] = [byKeys?.from, byKeys?.to]
  useEffect(() => {
    drag(from === undefined || to === undefined ? null : { from, to })
  }, [from, to])
  return { ref, bandRef, noteRef, zoom, canZoom }
}

type BandElements = { band: HTMLElement | null; note: HTMLElement | null }

function showBand({ band, note }: BandElements, frame: PaneFrame, columns: Columns | null): void {
  if (!band || !note) return
  band.hidden = columns === null
  note.hidden = columns === null
  if (columns === null) return
  const [from, to] = toRange(frame, columns)
  const [left, right] = [toX(frame, from), toX(frame, to)]
  band.style.transform = `translateX(${left}px) scaleX(${right - left})`
  note.textContent = toSelectionText(frame, columns)
  const room = frame.width - frame.right - note.offsetWidth
  const x = Math.max(frame.left, Math.min(room, (left + right - note.offsetWidth) / 2))
  note.style.transform = `translateX(${x}px)`
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
  onDrag: (columns: Columns | null) => void
  onSelect: (columns: Columns) => void
  onPress: (position: Position) => void
}

const SLACK_PX = 5
const LONG_PRESS_MS = 350

/**
 * A finger slides sideways to read, selects after a long press, and scrolls vertically
 * (`touch-action: pan-y`). Escape cancels. Returns a function that stops listening.
 */
function listenToDrag(element: HTMLElement, actions: DragActions): () => void {
  let stop: (() => void) | null = null
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || !event.isPrimary) return
    element.setPointerCapture(event.pointerId)
    stop = startDrag(event, actions, () => {
      stop = null
    })
  }
  const onMove = (event: PointerEvent) => {
    if (!stop) actions.onPoint(toPlace(event))
  }
  const onLeave = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') actions.onPoint(null)
  }
  // A long press would open the context menu during a selection.
  const onMenu = (event: MouseEvent) => {
    if (stop) event.preventDefault()
  }
  const listeners = new AbortController()
  const { signal } = listeners
  element.addEventListener('pointerdown', onDown, { signal })
  element.addEventListener('pointermove', onMove, { signal })
  element.addEventListener('pointerleave', onLeave, { signal })
  element.addEventListener('contextmenu', onMenu, { signal })
  return () => {
    listeners.abort()
    stop?.()
  }
}

/** Children ignore pointer events, so offsets are relative to the overlay. */
const toPlace = ({ offsetX, offsetY }: PointerEvent): Position => ({ x: offsetX, y: offsetY })

function startDrag(press: PointerEvent, actions: DragActions, onDone: () => void): () => void {
  const { toColumns, onPoint, onDrag, onSelect, onPress } = actions
  const isTouch = press.pointerType === 'touch'
  const start = toPlace(press)
  let isSelecting = false
  let columns: Columns | null = null
  let request = 0
  const select = (to: Position) => {
    isSelecting = true
    columns = toColumns(start.x, to.x)
    cancelAnimationFrame(request)
    request = requestAnimationFrame(() => onDrag(columns))
    onPoint(null)
  }
  const end = () => {
    onDone()
    cancelAnimationFrame(request)
    if (isSelecting) onDrag(null)
  }
  const stop = followPointer(press, {
    slackPx: SLACK_PX,
    restMs: isTouch ? LONG_PRESS_MS : undefined,
    onRest: () => select(start),
    onMove: (event) => {
      if (isSelecting || !isTouch) select(toPlace(event))
      else onPoint(toPlace(event))
    },
    onEnd: (event) => {
      end()
      if (event && columns) onSelect(columns)
    },
    onPress: (event) => {
      end()
      onPoint(toPlace(event))
      onPress(toPlace(event))
    },
  })
  return () => {
    stop()
    end()
  }
}
