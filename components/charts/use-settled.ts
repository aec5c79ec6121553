'use client'

import { useEffect, useState } from 'react'

/** A text once it has stood for a while (milliseconds): what passes quickly is not announced. */
export function useSettled(text: string, waitMs: number): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), waitMs)
    return () => window.clearTimeout(timer)
  }, [text, waitMs])
  return settled
}
