'use client'

import type { ReactNode } from 'react'
import { toZonedDay, toZonedText } from '#components/format/zoned.ts'
import { classNames } from '#components/ui/class-names.ts'
import { useZone } from './zone.tsx'
import { toZoneName } from './zone-name.ts'

type InstantProps = {
  /** Seconds since 1970. */
  seconds: number
  /** What is shown of it, where that is not the minute in the page's zone. */
  children?: ReactNode
  className?: string
}

const DOTTED = 'decoration-line-2 decoration-dotted underline-offset-[3px] hover:underline'

/**
 * A time in a table. The page's one card opens on it ({@link InstantCards}); by keyboard with `t` in its row, since a
 * hundred more stops for the Tab key would be in everybody's way.
 */
export function Instant({ seconds, children, className }: InstantProps) {
  const zone = useZone()
  return (
    <time dateTime={toIso(seconds)} className={classNames(DOTTED, className)}>
      {children ?? toZonedText(seconds, zone)}
    </time>
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
