'use client'

import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useZone } from '#components/address/outlook.tsx'
import { toZonedDay, toZonedText, toZoneName } from '#components/format/instants.ts'
import { classNames } from '#components/ui/class-names.ts'
import { INSTANT } from './instant-element.ts'

type InstantProps = {
  /** Seconds since 1970. */
  seconds: number
  /** What is shown of it, where that is not the minute in the page's zone. */
  children?: ReactNode
  className?: string
}

/** A time in a table, with what is shown of it; a table of many times says it at the cell instead ({@link INSTANT}). */
const Time = ({ seconds, children, className }: InstantProps) => (
  <time dateTime={toIso(seconds)} className={className}>
    {children}
  </time>
)

/**
 * The same in the page's zone. The page's one card opens on it ({@link InstantCards}); by keyboard with `t` in its row,
 * since a hundred more stops for the Tab key would be in everybody's way.
 */
export function Instant({ seconds, children, className }: InstantProps) {
  const zone = useZone()
  return (
    <Time seconds={seconds} className={className}>
      {children ?? toZonedText(seconds, zone)}
    </Time>
  )
}

/** The same anywhere else: a button, so that it is reached by keyboard and finger. */
export function InstantButton({ className, ...instant }: InstantProps) {
  return (
    <button
      type="button"
      data-instant
      aria-haspopup="dialog"
      className={classNames('rounded-sm text-left', className)}
    >
      <Instant {...instant} />
    </button>
  )
}

/** The day of an instant in the page's zone, outside of tables. */
export function ZonedDay({ seconds }: { seconds: number }) {
  const zone = useZone()
  return <InstantButton seconds={seconds}>{toZonedDay(seconds, zone)}</InstantButton>
}

/** An instant with its zone behind it, in a sentence: `2026-11-20 14:32 UTC`. */
export function ZonedInstant({ seconds, className }: Omit<InstantProps, 'children'>) {
  const zone = useZone()
  return (
    <InstantButton seconds={seconds} className={className}>
      {toZonedText(seconds, zone)} {toZoneName(zone)}
    </InstantButton>
  )
}

const toIso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

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
      import('./instant-card.tsx').then(
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
    : event.target instanceof Element && event.target.closest(`${INSTANT}, [data-instant]`)
