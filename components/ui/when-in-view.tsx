'use client'

import type { ReactNode } from 'react'
import { usePrinting } from './use-browser.ts'
import { useInView } from './use-in-view.ts'

type WhenInViewProps = {
  before: ReactNode
  children: ReactNode
}

export function WhenInView({ before, children }: WhenInViewProps) {
  const [ref, isSeen] = useInView()
  const isPrinted = usePrinting()
  return (
    <div ref={ref} className="min-w-0">
      {isSeen || isPrinted ? children : before}
    </div>
  )
}
