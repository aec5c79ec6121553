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
