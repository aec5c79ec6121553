'use client'

import { useState } from 'react'

/** The value of an earlier time as long as it says the same: what is made from it need not be made anew. */
export function useSame<T>(value: T): T {
  const [kept, keep] = useState(value)
  if (kept === value || JSON.stringify(kept) === JSON.stringify(value)) return kept
  keep(value)
  return value
}
