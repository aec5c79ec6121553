'use client'

import { useCallback, useEffect, useRef } from 'react'

/** One thing to do later: the next takes its place, and so does nothing at all (`never`). */
export function useTimer() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const never = useCallback(() => clearTimeout(timer.current), [])
  const later = useCallback((ms: number, act: () => void) => {
    clearTimeout(timer.current)
    if (ms === 0) act()
    else timer.current = setTimeout(act, ms)
  }, [])
  useEffect(() => never, [never])
  return { later, never }
}
