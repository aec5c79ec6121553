'use client'

import { useSyncExternalStore } from 'react'
import type { RowSession } from './row-session.ts'

type State = ReturnType<RowSession['get']>

/** A part of what the reader does with rows; drawn again when that part changes. */
export const useSession = <K extends keyof State>(session: RowSession, part: K): State[K] => {
  const now = () => session.get()[part]
  return useSyncExternalStore(session.subscribe, now, now)
}
