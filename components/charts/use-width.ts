'use client'

import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useInBrowser, usePrinting } from '#components/ui/use-browser.ts'

/** Narrower than this in a closed fold, where no plot fits between the axes. */
const LEAST_PX = 120

/** Whole pixels; 0 until measured, in a closed fold, and in print. */
export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const isPrinted = usePrinting()
  const isDrawn = useRef(!useInBrowser())
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      const { width: px } = element.getBoundingClientRect()
      setWidth(px < LEAST_PX ? 0 : Math.floor(px))
    }
    // The observer measures what the server drew, in a task of its own.
    if (!isDrawn.current) measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, isPrinted ? 0 : width]
}
