import { useSyncExternalStore } from 'react'
import { toKeptName } from '#lib/contract/base-path.ts'

/** Apple's keyboards have ⌘ where others have Ctrl. For the browser only. */
const isApple = (): boolean => /Mac OS|iPhone|iPad/.test(navigator.userAgent)

const never = () => () => undefined

/** The key that goes with the palette's, as this reader's keyboard has it before another; the server cannot know. */
export const useCommandKey = (): 'Ctrl ' | '⌘' =>
  useSyncExternalStore(
    never,
    () => (isApple() ? '⌘' : 'Ctrl '),
    () => 'Ctrl ',
  )

const KEY = toKeptName('bellwether.single-keys')
const OFF = 'off'

// Where the browser forbids storage, the choice lasts as long as the page.
let isOn: boolean | null = null

/**
 * Do keys of one character do something wherever the focus is: `/`, `?`, E, W, J, K and the brackets? Whoever speaks
 * to the machine switches that off (WCAG 2.1.4).
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

/** What a key opens: the palette to go somewhere (`jump`) or to type a filter (`type`), or the list of the keys. */
export type Shortcut = 'jump' | 'type' | 'keys'

type Composed = Pick<KeyboardEvent, 'isComposing' | 'keyCode'>
type Pressed = Composed &
  Pick<
    KeyboardEvent,
    'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'defaultPrevented'
  > & {
    target: EventTarget | null
  }

/** The reader's keyboard, and his choice. */
const HERE = { isApple, areSingleKeysOn, isWrittenInto }

/** The shortcut that a key is, or null. Ctrl K stays what Apple's fields make of it, and ⌘ K is theirs. */
export function toShortcut(pressed: Pressed, here = HERE): Shortcut | null {
  const { key, metaKey, ctrlKey } = pressed
  if (isTaken(pressed)) return null
  if (metaKey || ctrlKey) {
    const isCommand = metaKey !== ctrlKey && metaKey === here.isApple() && !pressed.shiftKey
    return isCommand && /^k$/i.test(key) ? 'jump' : null
  }
  const shortcut = key === '/' ? 'type' : key === '?' ? 'keys' : null
  return shortcut && isSingle(pressed, here) ? shortcut : null
}

/** Is it this letter of a page, and not one that somebody writes, or that belongs to a dialog or a menu? */
export function isPageKey(pressed: Pressed, letter: string, here = HERE): boolean {
  const { key, shiftKey, target } = pressed
  if (key.toLowerCase() !== letter || shiftKey || isTaken(pressed)) return false
  return isSingle(pressed, here) && !isEnclosed(target)
}

const isTaken = (pressed: Pressed): boolean =>
  pressed.defaultPrevented || pressed.altKey || isComposing(pressed)

/** Is it a key of one character that is pressed for what it does, and not written? */
const isSingle = ({ metaKey, ctrlKey, target }: Pressed, here: typeof HERE): boolean =>
  !metaKey && !ctrlKey && here.areSingleKeysOn() && !here.isWrittenInto(target)

const isEnclosed = (target: EventTarget | null) =>
  target !== null && target instanceof Element && target.closest('dialog, [popover]') !== null

/** While an input method composes, keys belong to it; some browsers say so only by this code. */
export const isComposing = ({ isComposing: composes, keyCode }: Composed): boolean =>
  composes || keyCode === 229

/** Is this a place where keys are letters? */
export function isWrittenInto(target: EventTarget | null): boolean {
  const fields =
    'textarea,select,[contenteditable],input:not([type=checkbox],[type=radio],[type=range])'
  return target instanceof Element && target.closest(fields) !== null
}
