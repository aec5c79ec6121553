'use client'

import { type ComponentType, useEffect, useState } from 'react'

type Loaded = { Cards: ComponentType<{ first: Event }>; first: Event }

/**
 * The card of every time on every page: one for all of them, by listening at the document, so that a time in a table
 * costs no more than its text. What draws it is loaded when somebody first points at a time, and takes over from here.
 */
export function InstantCards() {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  useEffect(() => {
    if (loaded) return
    let last: Event | null = null
    const load = (event: Event) => {
      last = event
      if (!isAboutTime(event)) return
      import('./instant-card-driver.tsx').then(
        ({ InstantCardDriver: Cards }) => last === event && setLoaded({ Cards, first: event }),
        // Without a network the time itself can be read still; the next one tries again.
        () => undefined,
      )
    }
    for (const name of EVENTS) document.addEventListener(name, load)
    return () => {
      for (const name of EVENTS) document.removeEventListener(name, load)
    }
  }, [loaded])
  return loaded && <loaded.Cards first={loaded.first} />
}

const EVENTS = ['pointerover', 'focusin', 'click', 'keydown']

const isAboutTime = (event: Event) =>
  event instanceof KeyboardEvent
    ? /^t$/i.test(event.key)
    : event.target instanceof Element && event.target.closest('time, [data-instant]')
