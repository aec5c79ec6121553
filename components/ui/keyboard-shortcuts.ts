import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { useStored } from '#components/store/store.ts'

const isApple = (): boolean => /Mac OS|iPhone|iPad/.test(navigator.userAgent)

const never = () => () => undefined

export const useCommandKey = (): 'Ctrl ' | '⌘' =>
  useSyncExternalStore(
    never,
    () => (isApple() ? '⌘' : 'Ctrl '),
    () => 'Ctrl ',
  )

/** WCAG 2.1.4: single-key shortcuts can be turned off for speech input. */
export const areSingleKeysOn = (): boolean => useStored.getState().singleKeys

type Shortcut = 'jump' | 'type' | 'keys'

type Composed = Pick<KeyboardEvent, 'isComposing' | 'keyCode'>
type Pressed = Composed &
  Pick<
    KeyboardEvent,
    'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'defaultPrevented'
  > & {
    target: EventTarget | null
  }

const HERE = { isApple, areSingleKeysOn, isWrittenInto }

/** On Apple keyboards Ctrl K remains the text field's own shortcut. */
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

export function isPageKey(pressed: Pressed, letter: string, here = HERE): boolean {
  const { key, shiftKey, target } = pressed
  if (key.toLowerCase() !== letter || shiftKey || isTaken(pressed)) return false
  return isSingle(pressed, here) && !isEnclosed(target)
}

/** Calls `act` when the reader presses the letter outside fields, dialogs and menus. Null: never. */
export function usePageKey(letter: string | null, act: () => void): void {
  const onPress = useEffectEvent(act)
  useEffect(() => {
    if (letter === null) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPageKey(event, letter)) return
      event.preventDefault()
      onPress()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [letter])
}

const isTaken = (pressed: Pressed): boolean =>
  pressed.defaultPrevented || pressed.altKey || isComposing(pressed)

const isSingle = ({ metaKey, ctrlKey, target }: Pressed, here: typeof HERE): boolean =>
  !metaKey && !ctrlKey && here.areSingleKeysOn() && !here.isWrittenInto(target)

const isEnclosed = (target: EventTarget | null) =>
  target !== null &&
  target instanceof Element &&
  target.closest('dialog, [role=dialog], [role=menu]') !== null

/** Some browsers report composition only by this key code. */
export const isComposing = ({ isComposing: composes, keyCode }: Composed): boolean =>
  composes || keyCode === 229

export function isWrittenInto(target: EventTarget | null): boolean {
  const fields =
    'textarea,select,[contenteditable],input:not([type=checkbox],[type=radio],[type=range])'
  return target instanceof Element && target.closest(fields) !== null
}
