'use client'

import { useState } from 'react'

/** Returns the previous value while its JSON is equal. */
export function useSame<T>(value: T): T {
  const [kept, keep] = useState(value)
  if (kept === value || JSON.stringify(kept) === JSON.stringify(value)) return kept
  keep(value)
  return value
}
