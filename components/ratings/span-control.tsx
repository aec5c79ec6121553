'use client'

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { BarStrip } from './bar-strip.tsx'
import type { Bar } from './bars.ts'
import { isWhole } from './shares.ts'
import type { Choice } from './span-drag.ts'
import { SpanClear, SpanHandle } from './span-handle.tsx'
import { watchKeys } from './span-keys.ts'
import type { SpanModel } from './span-model.ts'
import { watchPointer } from './span-pointer.ts'
import { toShown } from './span-shown.ts'
import { SpanTipBox } from './span-tip.tsx'
import { createWatch } from './span-watch.ts'

type SpanControlProps = {
  track: RefObject<HTMLDivElement | null>
  model: SpanModel
  /** The bars as a list for the keyboard, and what picking one does; left out where a filter beside them does the same. */
  list?: { name: string; bars: readonly Bar[]; heightPx: number }
  look?: 'lines' | 'knobs'
}

/** What makes bars a filter: a list of them, the ends of the span, what is under the pointer; and what listens. */
export function SpanControl({ track, model, list, look = 'lines' }: SpanControlProps) {
  const latest = useRef(model)
  useLayoutEffect(() => {
    latest.current = model
  })
  const [pointed, setPointed] = useState<number | null>(null)
  const [active, setActive] = useState<number | null>(null)
  const [choice, setChoice] = useState<Choice | null>(null)
  useEffect(() => {
    const element = track.current
    if (!element) return
    const watching = new AbortController()
    const watch = createWatch(element, { read: () => latest.current, setPointed, setChoice })
    watchPointer(element, watch, watching.signal)
    watchKeys(element, watch, watching.signal)
    return () => watching.abort()
  }, [track])
  const { ends, chosen, clear } = model
  const shown = toShown(choice, pointed ?? active, model)
  return (
    <>
      {list && <BarStrip {...list} active={active} onActive={setActive} onPick={model.pickBar} />}
      {ends && <SpanHandle which="begin" ends={ends} chosen={chosen} look={look} />}
      {ends && <SpanHandle which="end" ends={ends} chosen={chosen} look={look} />}
      {clear && look === 'lines' && !choice && !isWhole(chosen) && (
        <SpanClear chosen={chosen} clear={clear} />
      )}
      {shown && <SpanTipBox track={track} {...shown} />}
    </>
  )
}
