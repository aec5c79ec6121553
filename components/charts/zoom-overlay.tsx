'use client'

import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import { listenToDrag, type Place } from './listen-to-drag.ts'
import type { PaneFrame } from './pane-frame.ts'
import { NOWHERE, pressKey, type Reader, toSelected } from './reader-keys.ts'
import { type Columns, toSelection } from './selection.ts'
import { toColumn } from './time-frame.ts'
import { showBand, toRange, toSelectionText } from './zoom-band.ts'

export type ZoomOverlayProps = {
  frame: PaneFrame
  /** What is read and zoomed, for whoever cannot see it: "Rating and prediction over time". */
  label: string
  /** Where the reader stands; the overlay asks to change it. */
  reader: Reader
  onRead: (reader: Reader, place: Place | null) => void
  /** Called once, when a range was chosen; left out, there is none to choose. Seconds since 1970, `to` is exclusive. */
  onZoom?: ((range: { from: number; to: number }) => void) | undefined
  /** A press that selects nothing. */
  onPress?: ((place: Place) => void) | undefined
  /** Keys that the overlay has no use for. */
  onOtherKey?: ((event: KeyboardEvent) => void) | undefined
  /** What is said of keys beyond the overlay's own. */
  keysHint?: string
  /** Shows that something can be pressed where the pointer is. */
  isOverMark?: boolean
  children?: ReactNode
}

const KEYS =
  'Arrow keys go from one point to the next, Page Up and Page Down by ten, Home and End to the ends.'
const ZOOM_KEYS = 'Shift with them selects a range, Enter zooms to it. Escape leaves.'

/**
 * Lies over the panes of a chart, as large as its nearest positioned ancestor, and takes pointer, touch and keys for
 * all of them. What is selected is shown by elements that are moved by hand, so a drag draws nothing anew.
 */
export function ZoomOverlay(props: ZoomOverlayProps) {
  const { frame, label, reader, keysHint = '', isOverMark = false, children } = props
  const { ref, bandRef, noteRef, zoom, canZoom } = useZoom(props)
  const hintId = useId()
  const count = frame.edges.length - 1
  const selected = toSelected(reader, count)
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

/** The elements of a selection, and what pointer and keys make of them. */
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
  const point = useEffectEvent((place: Place | null) =>
    onRead(place ? { index: toColumn(frame, place.x), anchor: null } : NOWHERE, place),
  )
  const columnsBetween = useEffectEvent((startX: number, endX: number) =>
    canZoom ? toSelection(toColumn(frame, startX), toColumn(frame, endX), count) : null,
  )
  const drag = useEffectEvent(show)
  const select = useEffectEvent(zoom)
  const press = useEffectEvent((place: Place) => onPress?.(place))
  // Listens once: an answer that comes in the midst of a drag must not end it.
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
