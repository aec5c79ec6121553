import { useSyncExternalStore } from 'react'

/** Apple's keyboards have ⌘ where others have Ctrl. For the browser only. */
export const isApple = (): boolean => /Mac OS|iPhone|iPad/.test(navigator.userAgent)

const never = () => () => undefined

/** The key that goes with the palette's, as this reader's keyboard has it before another; the server cannot know. */
export const useCommandKey = (): 'Ctrl ' | '⌘' =>
  useSyncExternalStore(
    never,
    () => (isApple() ? '⌘' : 'Ctrl '),
    () => 'Ctrl ',
  )
