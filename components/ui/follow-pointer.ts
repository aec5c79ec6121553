type Follow = {
  /** Less than this is a press and no drag. */
  slackPx?: number
  /** Which way it has to go so far: sideways, if not said otherwise. */
  axis?: 'x' | 'both'
  /** A drag begins too where the pointer rests so long (ms). */
  restMs?: number | undefined
  onRest?: () => void
  /** Holds the pointer from the drag's beginning on: nothing else is pointed at meanwhile. */
  holder?: HTMLElement
  /** Where it is in a drag, each time that it moves. */
  onMove: (event: PointerEvent) => void
  /** It was let go after a drag; or, without an event, given up: by Escape, or because the system took it away. */
  onEnd: (event: PointerEvent | null) => void
  /** It was let go, and it was no drag. */
  onPress?: (event: PointerEvent) => void
}

/**
 * Follows a pointer that has been pressed until it is let go. The click that would end a drag does not come. What is
 * returned gives up and calls nothing back.
 */
export function followPointer(press: PointerEvent, follow: Follow): () => void {
  const { slackPx = 0, axis = 'x', restMs, holder } = follow
  const listening = new AbortController()
  const options = { signal: listening.signal, capture: true }
  let isDrag = slackPx === 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = () => {
    clearTimeout(timer)
    isDrag = true
  }
  const stop = () => {
    clearTimeout(timer)
    listening.abort()
  }
  const end = (event: PointerEvent | null) => {
    stop()
    if (isDrag) swallowClick()
    if (event && !isDrag) follow.onPress?.(event)
    else follow.onEnd(event)
  }
  const onMove = (event: PointerEvent) => {
    // It was let go before anybody listened.
    if (event.buttons === 0) return end(null)
    const [byX, byY] = [event.clientX - press.clientX, event.clientY - press.clientY]
    if (!isDrag && Math.hypot(byX, axis === 'x' ? 0 : byY) < slackPx) return
    begin()
    holder?.setPointerCapture(press.pointerId)
    follow.onMove(event)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // Whatever else Escape would close is not meant.
    event.preventDefault()
    event.stopPropagation()
    end(null)
  }
  const only = (act: (event: PointerEvent) => void) => (event: PointerEvent) => {
    if (event.pointerId === press.pointerId) act(event)
  }
  if (restMs !== undefined) {
    timer = setTimeout(() => {
      begin()
      follow.onRest?.()
    }, restMs)
  }
  window.addEventListener('pointermove', only(onMove), options)
  window.addEventListener('pointerup', only(end), options)
  window.addEventListener(
    'pointercancel',
    only(() => end(null)),
    options,
  )
  window.addEventListener('keydown', onKey, options)
  return stop
}

/** Swallows the next click by a pointer, unless it begins with a press of its own: then it is meant. */
function swallowClick(): void {
  const listening = new AbortController()
  const options = { signal: listening.signal, capture: true }
  const swallow = (event: MouseEvent) => {
    // A key makes a click too.
    if (event.detail === 0) return
    event.preventDefault()
    event.stopPropagation()
    listening.abort()
  }
  window.addEventListener('click', swallow, options)
  window.addEventListener('pointerdown', () => listening.abort(), options)
}
