'use client'

import { useEffect } from 'react'
import { endData } from '#lib/client/signed-out.ts'

/** Deletes what the browser keeps of the data, and makes its other tabs leave. */
export function EndData() {
  useEffect(() => void endData(), [])
  return null
}
