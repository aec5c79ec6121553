'use client'

import { type SyntheticEvent, useEffect, useMemo, useRef } from 'react'

type Actions<C> = { act: (event: SyntheticEvent, context: C) => void }

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
      if (actions) return actions.act(event, latest.current)
      load().then(
        (loaded) => {
          actions = loaded
          actions.act(event, latest.current)
        },
        // Without a network the rows can be read still; the next event tries again.
        () => undefined,
      )
    }
  }, [load, isTaken])
}
