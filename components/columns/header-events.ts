'use client'

import type { KeyboardEvent, SyntheticEvent } from 'react'
import { useLazyEvents } from '#components/ui/use-lazy-events.ts'
import type { Columns } from './use-columns.ts'

const load = () => import('./header-actions.ts')

/** The handlers of the table's header: columns are drawn to another place, their edges to another width. */
export function useHeaderEvents(columns: Columns) {
  const act = useLazyEvents({ load, isTaken, context: columns })
  return { onPointerDown: act, onPointerOver: act, onKeyDown: act, onDoubleClick: act }
}

const KEYS = /^(Arrow(Left|Right)|Home|End|Enter)$/

/** On an edge the arrows scroll nothing. */
function isTaken(event: SyntheticEvent): boolean {
  const { type, target } = event
  if (type !== 'keydown' || !(target instanceof Element) || !target.matches('[data-edge]'))
    return false
  return KEYS.test((event as KeyboardEvent).key)
}
