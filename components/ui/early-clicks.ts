declare global {
  interface Window {
    takeEarlyClicks?: () => readonly HTMLElement[]
  }
}

/**
 * Records clicks before hydration, which takes seconds on a slow phone. React itself replays the
 * click that triggers hydration.
 */
export const NOTE_EARLY_CLICKS = `(() => {
const clicked = []
const note = (event) => {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event
  if (button || ctrlKey || metaKey || shiftKey || altKey || target.closest('a[href], summary')) return
  const own = target.closest('button, input[type="checkbox"], input[type="radio"]')
  if (own || target.closest('tr[tabindex]')) clicked.push({ event, element: own || target })
}
addEventListener('click', note, true)
window.takeEarlyClicks = () => {
  removeEventListener('click', note, true)
  return clicked.filter(({ event }) => event !== window.event).map(({ element }) => element)
}
})()`

/** Stops recording: from now on the page handles clicks. */
export function takeEarlyClicks(): readonly HTMLElement[] {
  const clicked = window.takeEarlyClicks?.() ?? []
  window.takeEarlyClicks = undefined
  return clicked
}

export function repeatClicks(clicked: readonly HTMLElement[]): void {
  for (const element of new Set(clicked)) if (element.isConnected) repeat(element)
}

function repeat(element: HTMLElement): void {
  const isBox = element instanceof HTMLInputElement
  if (isBox && element.checked === element.defaultChecked) return
  if (isBox) element.checked = element.defaultChecked
  element.click()
}
