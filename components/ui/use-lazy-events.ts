'use client'

import { type SyntheticEvent, useEffect, useMemo, useRef } from 'react'

type Actions<C> = {
  /** `isOver`: the press that the event began has ended while this was loaded. */
  act: (event: SyntheticEvent, context: C, isOver: boolean) => void
}

type LazyEvents<C> = {
  /** Loads what the events do. Until then they wait, in their order. */
  load: () => Promise<Actions<C>>
  /** Said at once, before anything is loaded: the browser shall not act on the event too. */
  isTaken: (event: SyntheticEvent, context: C) => boolean
  context: C
}

/**
 * One handler for every event of an element, the same for as long as the element lives: what it does is loaded with the
 * first of them, and no event is lost meanwhile.
 */
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
        // Without a network the rows can be read still; the next event tries again.
        () => undefined,
      )
    }
  }, [load, isTaken])
}

/** Whether what was pressed has been let go again. */
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
