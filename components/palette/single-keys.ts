const KEY = 'bellwether.single-keys'
const OFF = 'off'

// Where the browser forbids storage, the choice lasts as long as the page.
let isOn: boolean | null = null

/**
 * Do keys of one character do something wherever the focus is: `/`, `?`, J, K and the brackets? Whoever speaks to the machine switches
 * that off (WCAG 2.1.4).
 */
export function areSingleKeysOn(): boolean {
  if (isOn !== null) return isOn
  try {
    return localStorage.getItem(KEY) !== OFF
  } catch {
    return true
  }
}

export function setSingleKeys(on: boolean): void {
  isOn = on
  try {
    if (on) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, OFF)
  } catch {
    // Said above.
  }
}
