type Follow = {
  /** How far it has gone from where it began, and where it is, in pixels of the window. */
  onMove: (byPx: number, x: number) => void
  /** It was let go, or given up: by Escape, or because the system took it away. */
  onEnd: (isKept: boolean) => void
}

/** Follows a pointer that has been pressed until it is let go. */
export function followPointer(start: PointerEvent, { onMove, onEnd }: Follow): void {
  const ended = new AbortController()
  const options = { signal: ended.signal, capture: true }
  const end = (isKept: boolean) => {
    ended.abort()
    onEnd(isKept)
  }
  const isOther = (event: PointerEvent) => event.pointerId !== start.pointerId
  window.addEventListener(
    'pointermove',
    (event) => {
      if (isOther(event)) return
      // It was let go before anybody listened.
      if (event.buttons === 0) end(false)
      else onMove(event.clientX - start.clientX, event.clientX)
    },
    options,
  )
  window.addEventListener('pointerup', (event) => !isOther(event) && end(true), options)
  window.addEventListener('pointercancel', (event) => !isOther(event) && end(false), options)
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      end(false)
    },
    options,
  )
}

const LONG_MS = 500
const STILL_PX = 10

/** Calls back where a finger rests for half a second; the click that would follow does not come. */
export function waitForLongPress(start: PointerEvent, onLong: () => void): void {
  const ended = new AbortController()
  const timer = setTimeout(() => {
    ended.abort()
    window.addEventListener('click', swallow, { capture: true, once: true })
    // Where the finger's end makes no click, the next one is meant.
    window.addEventListener(
      'pointerdown',
      () => window.removeEventListener('click', swallow, { capture: true }),
      { capture: true, once: true },
    )
    onLong()
  }, LONG_MS)
  ended.signal.addEventListener('abort', () => clearTimeout(timer))
  const options = { signal: ended.signal, capture: true, passive: true }
  const end = () => ended.abort()
  for (const name of ['pointerup', 'pointercancel', 'scroll'] as const) {
    window.addEventListener(name, end, options)
  }
  window.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      if (Math.hypot(clientX - start.clientX, clientY - start.clientY) > STILL_PX) end()
    },
    options,
  )
}

function swallow(event: Event) {
  event.preventDefault()
  event.stopPropagation()
}
