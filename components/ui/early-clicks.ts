declare global {
  interface Window {
    takeEarlyClicks?: () => readonly HTMLElement[]
  }
}

/**
 * Notes what is clicked before the page listens: on a slow phone that takes seconds, and a button looks ready long before.
 * Links, folds and forms work by themselves then. It runs before anything of the page is drawn.
 */
export const NOTE_EARLY_CLICKS = `(() => {
const clicked = []
const note = (event) => {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event
  if (button || ctrlKey || metaKey || shiftKey || altKey || target.closest('a[href], summary')) return
  const own = target.closest('button, input[type="checkbox"], input[type="radio"]')
  if (own || target.closest('tr[tabindex]')) clicked.push(own || target)
}
addEventListener('click', note, true)
window.takeEarlyClicks = () => (removeEventListener('click', note, true), clicked)
})()`

/** Repeats what was clicked too early, once the page listens. */
export function repeatEarlyClicks(): void {
  const clicked = window.takeEarlyClicks?.() ?? []
  window.takeEarlyClicks = undefined
  // Who clicks again because nothing happened means it once; a box that was ticked and cleared is as it was.
  for (const element of new Set(clicked)) if (element.isConnected) repeat(element)
}

function repeat(element: HTMLElement): void {
  const isBox = element instanceof HTMLInputElement
  if (isBox && element.checked === element.defaultChecked) return
  // The click itself will turn it.
  if (isBox) element.checked = element.defaultChecked
  element.click()
}
