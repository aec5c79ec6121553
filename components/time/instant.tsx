'use client'

import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { toZonedDay, toZonedText } from '#components/format/instants.ts'
import { classNames } from '#components/ui/class-names.ts'
import { useZone } from '#components/ui/time-zone.ts'
import { INSTANT } from './instant-element.ts'

type InstantProps = {
  /** Seconds since 1970. */
  seconds: number
  children?: ReactNode
  className?: string
}

const Time = ({ seconds, children, className }: InstantProps) => (
  <time dateTime={toIso(seconds)} className={className}>
    {children}
  </time>
)

/** Not focusable: hundreds of tab stops would be in the way. */
export function Instant({ seconds, children, className }: InstantProps) {
  const zone = useZone()
  return (
    <Time seconds={seconds} className={className}>
      {children ?? toZonedText(seconds, zone)}
    </Time>
  )
}

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

export function ZonedDay({ seconds }: { seconds: number }) {
  const zone = useZone()
  return <InstantButton seconds={seconds}>{toZonedDay(seconds, zone)}</InstantButton>
}

const toIso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

type CardsModule = { Cards: ComponentType<{ first: Event }>; first: Event }

/** One delegated listener for all times. */
export function InstantCards() {
  const [loaded, setLoaded] = useState<CardsModule | null>(null)
  useEffect(() => {
    if (loaded) return
    let last: Event | null = null
    const load = (event: Event) => {
      last = event
      if (!isAboutTime(event)) return
      import('./instant-card.tsx').then(
        ({ InstantCardDriver: Cards }) => last === event && setLoaded({ Cards, first: event }),
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
