import type { Columns } from './selection.ts'

/** Pixels from the overlay's corner. */
export type Place = { x: number; y: number }

export type DragActions = {
  /** The buckets between two places; null where nothing can be chosen. */
  toColumns: (startX: number, toX: number) => Columns | null
  /** Where a pointer or finger reads; null where it has left. */
  onPoint: (place: Place | null) => void
  /** Shows what would be selected, or nothing; at most once a frame. */
  onDrag: (columns: Columns | null) => void
  /** Once, when the button or the finger is lifted. */
  onSelect: (columns: Columns) => void
  /** A press that was no drag. */
  onPress: (place: Place) => void
}

type Drag = { start: Place; phase: 'pressed' | 'reading' | 'selecting'; columns: Columns | null }

/** So far a hand may tremble before a press is a drag, in pixels. */
const SLACK = 5
/** So long a finger must rest before it selects: before that it reads, or scrolls the page. */
const REST_MS = 350

/**
 * Pointer and finger over an element, until the returned function is called. A pointer reads where it hovers and
 * selects where it drags; a finger reads where it slides sideways, selects after it has rested, and scrolls the page
 * where it goes up or down (`touch-action: pan-y`). Escape gives a drag up.
 */
export function listenToDrag(element: HTMLElement, actions: DragActions): () => void {
  const drags = createDrags(actions)
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || !event.isPrimary) return
    element.setPointerCapture(event.pointerId)
    drags.press(toPlace(event), event.pointerType === 'touch')
  }
  const onMove = (event: PointerEvent) => drags.move(toPlace(event), event.pointerType === 'touch')
  const onUp = (event: PointerEvent) => drags.lift(toPlace(event))
  const onLeave = (event: PointerEvent) => {
    // A finger that is lifted leaves what it read to be read on.
    if (event.pointerType !== 'touch') actions.onPoint(null)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && drags.cancel()) event.stopPropagation()
  }
  // A finger that rests would open the browser's menu in the midst of a selection.
  const onMenu = (event: MouseEvent) => {
    if (drags.isOn()) event.preventDefault()
  }
  const listeners = new AbortController()
  const { signal } = listeners
  element.addEventListener('pointerdown', onDown, { signal })
  element.addEventListener('pointermove', onMove, { signal })
  element.addEventListener('pointerup', onUp, { signal })
  element.addEventListener('pointercancel', () => drags.cancel(), { signal })
  element.addEventListener('pointerleave', onLeave, { signal })
  element.addEventListener('contextmenu', onMenu, { signal })
  window.addEventListener('keydown', onKey, { signal, capture: true })
  return () => {
    listeners.abort()
    drags.cancel()
  }
}

/** The overlay's children let everything through, so the place is within the overlay itself. */
const toPlace = ({ offsetX, offsetY }: PointerEvent): Place => ({ x: offsetX, y: offsetY })

/** One drag after another: what a press, a move and a lift lead to. */
function createDrags(actions: DragActions) {
  const { toColumns, onPoint, onDrag, onSelect, onPress } = actions
  let drag: Drag | null = null
  let request = 0
  let rest = 0
  const end = () => {
    const ended = drag
    drag = null
    window.clearTimeout(rest)
    window.cancelAnimationFrame(request)
    if (ended?.phase === 'selecting') onDrag(null)
    return ended
  }
  const select = (current: Drag, to: Place) => {
    current.phase = 'selecting'
    current.columns = toColumns(current.start.x, to.x)
    window.cancelAnimationFrame(request)
    request = window.requestAnimationFrame(() => onDrag(current.columns))
    onPoint(null)
  }
  return {
    isOn: () => drag !== null,
    press(start: Place, isTouch: boolean) {
      const current: Drag = { start, phase: 'pressed', columns: null }
      drag = current
      if (isTouch) rest = window.setTimeout(() => select(current, start), REST_MS)
    },
    move(to: Place, isTouch: boolean) {
      if (drag === null) return onPoint(to)
      const isStill = Math.abs(to.x - drag.start.x) < SLACK
      if (drag.phase === 'pressed' && isStill) return
      if (drag.phase === 'selecting' || !isTouch) return select(drag, to)
      window.clearTimeout(rest)
      drag.phase = 'reading'
      onPoint(to)
    },
    lift(at: Place) {
      const ended = end()
      if (ended?.phase === 'selecting' && ended.columns) onSelect(ended.columns)
      if (ended?.phase !== 'pressed') return
      onPoint(at)
      onPress(at)
    },
    /** True where a selection was given up. */
    cancel: () => end()?.phase === 'selecting',
  }
}
