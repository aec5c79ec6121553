'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { InstantCard } from './instant-card.tsx'
import { CAUSES, type InstantCause, toInstantCause } from './instant-cause.ts'
import { useTimer } from './use-timer.ts'

const OPEN_MS: Record<InstantCause['how'], number> = { hover: 300, focus: 150, press: 0, key: 0 }
/** As long as the pointer may need from the time to its card. */
const CLOSE_MS = 250

type Shown = InstantCause & {
  /** Where the focus goes back to from the card. */
  from: HTMLElement | null
}

/** Opens and closes the one card. `first` is what it was loaded for. */
export function InstantCardDriver({ first }: { first: Event }) {
  const [shown, setShown] = useState<Shown | null>(null)
  const card = useRef<HTMLDivElement>(null)
  const { later, never } = useTimer()
  const hasFocus = useCallback(() => card.current?.contains(document.activeElement) ?? false, [])
  const open = useCallback(
    (cause: InstantCause) => {
      const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null
      const isInside = hasFocus()
      later(OPEN_MS[cause.how], () =>
        setShown((last) => ({ ...cause, from: isInside ? (last?.from ?? null) : focused })),
      )
    },
    [later, hasFocus],
  )
  const close = useCallback(() => {
    never()
    if (hasFocus()) shown?.from?.focus()
    setShown(null)
  }, [never, hasFocus, shown])

  useEffect(() => {
    const cause = toInstantCause(first)
    if (cause) open(cause)
  }, [first, open])

  useEffect(() => {
    const onEvent = (event: Event) => {
      const { type, target } = event
      const isIn = (part: Element | null | undefined) =>
        target instanceof Node && (part?.contains(target) ?? false)
      const about = shown?.time.closest('[data-instant]') ?? shown?.time
      const isPinned = shown !== null && shown.how !== 'hover'
      const cause = toInstantCause(event, shown?.time)
      if (cause?.how === 'key') event.preventDefault()
      if (cause && (cause.how === 'press' || cause.how === 'key')) return open(cause)
      if (shown && (isIn(card.current) || isIn(about) || cause?.time === shown.time)) {
        // A click on a plain time was its row's: what opens there is not to lie below the card.
        if (type === 'click' && !isIn(card.current)) close()
        else if (type !== 'keydown') never()
        return
      }
      if (type === 'pointerover') {
        if (isPinned) return
        if (cause) return open(cause)
        return shown ? later(CLOSE_MS, close) : never()
      }
      if (cause) return open(cause)
      if (type === 'click' || (type === 'focusin' && isPinned)) close()
    }
    for (const name of CAUSES) document.addEventListener(name, onEvent)
    return () => {
      for (const name of CAUSES) document.removeEventListener(name, onEvent)
    }
  }, [shown, open, close, later, never])

  if (!shown?.time.isConnected) return null
  return createPortal(
    <InstantCard
      key={shown.time.getAttribute('datetime')}
      ref={card}
      time={shown.time}
      from={shown.from}
      takesFocus={shown.how === 'key'}
      onClose={close}
    />,
    // What lies outside of an open dialog cannot be used.
    shown.time.closest('dialog') ?? document.body,
  )
}
