declare global {
  interface Window {
    takeEarlyClicks?: () => readonly HTMLElement[]
  }
}

/**
 * Notes what is clicked before the page listens: on a slow phone that takes seconds, and a button looks ready long before.
 * Links, folds and forms work by themselves then. It runs before anything of the page is drawn. The click at which React
 * takes over at once, because it was a click, is React's own.
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

/** What was clicked too early. From here on nothing is noted: the page listens, and would hear a click twice. */
export function takeEarlyClicks(): readonly HTMLElement[] {
  const clicked = window.takeEarlyClicks?.() ?? []
  window.takeEarlyClicks = undefined
  return clicked
}

/** Clicks again. Who clicked twice because nothing happened means it once. */
export function repeatClicks(clicked: readonly HTMLElement[]): void {
  for (const element of new Set(clicked)) if (element.isConnected) repeat(element)
}

function repeat(element: HTMLElement): void {
  const isBox = element instanceof HTMLInputElement
  // One that was ticked and cleared again is as it was.
  if (isBox && element.checked === element.defaultChecked) return
  // The click itself will turn it.
  if (isBox) element.checked = element.defaultChecked
  element.click()
}
