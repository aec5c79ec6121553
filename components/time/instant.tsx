'use client'

import type { ReactNode } from 'react'
import { toInstantTitle, toZonedDay, toZonedText } from '#components/format/instants.ts'
import { useZone } from '#components/ui/time-zone.ts'

type InstantProps = {
  /** Seconds since 1970. */
  seconds: number
  children?: ReactNode
  className?: string
}

/** A time in the reader's zone; the title has its seconds and the zone's name. */
export function Instant({ seconds, children, className }: InstantProps) {
  const zone = useZone()
  return (
    <time dateTime={toIso(seconds)} title={toInstantTitle(seconds, zone)} className={className}>
      {children ?? toZonedText(seconds, zone)}
    </time>
  )
}

export function ZonedDay({ seconds }: { seconds: number }) {
  const zone = useZone()
  return <Instant seconds={seconds}>{toZonedDay(seconds, zone)}</Instant>
}

const toIso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
