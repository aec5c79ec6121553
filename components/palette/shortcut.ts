import { isApple } from './platform.ts'
import { areSingleKeysOn } from './single-keys.ts'

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
  if (pressed.defaultPrevented || isComposing(pressed) || pressed.altKey) return null
  if (metaKey || ctrlKey) {
    const isCommand = metaKey !== ctrlKey && metaKey === here.isApple() && !pressed.shiftKey
    return isCommand && /^k$/i.test(key) ? 'jump' : null
  }
  const shortcut = key === '/' ? 'type' : key === '?' ? 'keys' : null
  return shortcut && here.areSingleKeysOn() && !here.isWrittenInto(pressed.target) ? shortcut : null
}

/** While an input method composes, keys belong to it; some browsers say so only by this code. */
export const isComposing = ({ isComposing: composes, keyCode }: Composed): boolean =>
  composes || keyCode === 229

/** Is this a place where keys are letters? */
function isWrittenInto(target: EventTarget | null): boolean {
  const fields =
    'textarea,select,[contenteditable],input:not([type=checkbox],[type=radio],[type=range])'
  return target instanceof Element && target.closest(fields) !== null
}
