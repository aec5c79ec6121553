'use client'

import type { ReactNode } from 'react'
import { usePrinting } from './use-browser.ts'
import { useSeen } from './use-seen.ts'

type WhenSeenProps = {
  /** What stands in its place until then, of the same height. */
  before: ReactNode
  children: ReactNode
}

/** Draws what it holds once it is nearly in sight, or printed: what it is made of need not be loaded before. */
export function WhenSeen({ before, children }: WhenSeenProps) {
  const [ref, isSeen] = useSeen()
  const isPrinted = usePrinting()
  return (
    <div ref={ref} className="min-w-0">
      {isSeen || isPrinted ? children : before}
    </div>
  )
}
