const CONTROLS =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), [tabindex="0"]'

/**
 * If a control disappears because a key pressed it, the focus moves to the next control on the
 * page, or else the previous one. Returns a function that stops listening.
 */
export function keepFocus(): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const observer = new MutationObserver(() => pressed?.())
  let pressed: (() => void) | null = null
  const forget = () => {
    pressed = null
    observer.disconnect()
  }
  const onClick = ({ detail }: MouseEvent) => {
    forget()
    const main = document.getElementById('main')
    const control = document.activeElement
    // `detail` 0 is a click by keyboard.
    if (detail !== 0 || !main || !(control instanceof HTMLElement)) return
    const controls = [...main.querySelectorAll<HTMLElement>(CONTROLS)]
    const place = controls.indexOf(control)
    if (place < 0) return
    const path = window.location.pathname
    pressed = () => {
      if (control.isConnected) return
      forget()
      const isElsewhere = window.location.pathname !== path
      if (isElsewhere || document.activeElement !== document.body) return
      const neighbors = [...controls.slice(place + 1), ...controls.slice(0, place).reverse()]
      neighbors.find((one) => one.isConnected && one.checkVisibility())?.focus()
    }
    observer.observe(main, { childList: true, subtree: true })
  }
  document.addEventListener('click', onClick, { signal, capture: true })
  document.addEventListener('focusin', forget, { signal })
  return () => {
    forget()
    listening.abort()
  }
}
