'use client'

import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { usePrinting } from '#components/ui/use-browser.ts'

/** Whole pixels; 0 until measured, and in print. */
export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const isPrinted = usePrinting()
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setWidth(Math.floor(element.getBoundingClientRect().width))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, isPrinted ? 0 : width]
}
