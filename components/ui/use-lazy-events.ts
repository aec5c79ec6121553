'use client'

import { type SyntheticEvent, useEffect, useMemo, useRef } from 'react'

type Actions<C> = {
  /** `isOver`: the press ended while the module was loading. */
  act: (event: SyntheticEvent, context: C, isOver: boolean) => void
}

type LazyEvents<C> = {
  /** Events are queued in order until loaded. */
  load: () => Promise<Actions<C>>
  /** Synchronous; returns whether to prevent the default. */
  isTaken: (event: SyntheticEvent, context: C) => boolean
  context: C
}

/** Stable; loads its module on the first event. */
export function useLazyEvents<C>({ load, isTaken, context }: LazyEvents<C>) {
  const latest = useRef(context)
  useEffect(() => {
    latest.current = context
  })
  return useMemo(() => {
    let actions: Actions<C> | undefined
    return (event: SyntheticEvent) => {
      if (isTaken(event, latest.current)) event.preventDefault()
      if (actions) return actions.act(event, latest.current, false)
      const press = watchPress(event)
      load().then(
        (loaded) => {
          actions = loaded
          actions.act(event, latest.current, press.isOver)
        },
        // The next event retries.
        () => undefined,
      )
    }
  }, [load, isTaken])
}

function watchPress({ type }: SyntheticEvent): { isOver: boolean } {
  const press = { isOver: false }
  if (type !== 'pointerdown') return press
  const end = () => {
    press.isOver = true
  }
  for (const ending of ['pointerup', 'pointercancel']) {
    window.addEventListener(ending, end, { capture: true, once: true })
  }
  return press
}
