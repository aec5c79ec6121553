'use client'

import type { ReactNode } from 'react'
import { usePrinting } from './use-browser.ts'
import { useSeen } from './use-seen.ts'

type WhenSeenProps = {
  before: ReactNode
  children: ReactNode
}

export function WhenSeen({ before, children }: WhenSeenProps) {
  const [ref, isSeen] = useSeen()
  const isPrinted = usePrinting()
  return (
    <div ref={ref} className="min-w-0">
      {isSeen || isPrinted ? children : before}
    </div>
  )
}
