const DAYS: Record<string, number> = { '[': -1, ']': 1, '{': -7, '}': 7 }
const FIELDS =
  'textarea,select,[contenteditable],input:not([type=checkbox],[type=radio],[type=range])'

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'defaultPrevented' | 'isComposing'
> & { target: EventTarget | null }

/**
 * By how many days a key steps, or null. Many keyboards reach the brackets by AltGr, which some systems report as Ctrl
 * and Alt together, or by Option: only Ctrl alone and Command make another key of them.
 */
export function toStepOfKey(pressed: Pressed): number | null {
  const { key, ctrlKey, altKey, metaKey, target } = pressed
  if (pressed.defaultPrevented || pressed.isComposing || metaKey || (ctrlKey && !altKey))
    return null
  if (target !== null && isField(target)) return null
  return Object.hasOwn(DAYS, key) ? (DAYS[key] ?? null) : null
}

const isField = (target: EventTarget) =>
  target instanceof Element && target.closest(FIELDS) !== null
