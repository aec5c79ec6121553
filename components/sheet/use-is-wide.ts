'use client'

import { useSyncExternalStore } from 'react'

/** From here on (`lg`) there is room for the sheet beside the table. */
const WIDE = '(min-width: 64rem)'

function subscribe(listener: () => void) {
  const media = window.matchMedia(WIDE)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Whether the window has room for a sheet beside the table. Asked in the browser only. */
export const useIsWide = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => window.matchMedia(WIDE).matches,
    () => true,
  )
