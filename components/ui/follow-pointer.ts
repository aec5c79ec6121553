type Follow = {
  slackPx?: number
  axis?: 'x' | 'both'
  /** Milliseconds; a longer press begins a drag. */
  restMs?: number | undefined
  onRest?: () => void
  /** Captures the pointer during a drag. */
  holder?: HTMLElement
  onMove: (event: PointerEvent) => void
  /** Null if canceled by Escape or the system. */
  onEnd: (event: PointerEvent | null) => void
  onPress?: (event: PointerEvent) => void
}

/** Suppresses the click after a drag. The returned function stops silently. */
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
    // Released before the listeners were added.
    if (event.buttons === 0) return end(null)
    const [byX, byY] = [event.clientX - press.clientX, event.clientY - press.clientY]
    if (!isDrag && Math.hypot(byX, axis === 'x' ? 0 : byY) < slackPx) return
    begin()
    holder?.setPointerCapture(press.pointerId)
    follow.onMove(event)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
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

function swallowClick(): void {
  const listening = new AbortController()
  const options = { signal: listening.signal, capture: true }
  const swallow = (event: MouseEvent) => {
    // Keyboard clicks have `detail` 0.
    if (event.detail === 0) return
    event.preventDefault()
    event.stopPropagation()
    listening.abort()
  }
  window.addEventListener('click', swallow, options)
  window.addEventListener('pointerdown', () => listening.abort(), options)
}
