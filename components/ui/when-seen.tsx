'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { usePrinting } from './use-browser.ts'

/** So far before it comes into sight. */
const AHEAD = '300px'

type WhenSeenProps = {
  /** What stands in its place until then, of the same height. */
  before: ReactNode
  children: ReactNode
}

/** Draws what it holds once it is nearly in sight, or printed: what it is made of need not be loaded before. */
export function WhenSeen({ before, children }: WhenSeenProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  const isPrinted = usePrinting()
  useEffect(() => {
    const element = ref.current
    if (!element || isSeen) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [isSeen])
  return (
    <div ref={ref} className="min-w-0">
      {isSeen || isPrinted ? children : before}
    </div>
  )
}
