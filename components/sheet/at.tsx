'use client'

import { formatRelative } from '#components/format/relative.ts'
import { InstantButton } from '#components/time/instant.tsx'
import { useZone } from '#components/time/zone.tsx'
import { toZoneName } from '#components/time/zone-name.ts'

type AtProps = {
  /** Seconds since 1970. */
  seconds: number
  /** What ago and ahead are counted from: the instant of the answer. Left out, neither is said. */
  asOf?: number
}

/** An instant in the page's zone, which is named, and how far it is from the answer's. */
export function At({ seconds, asOf }: AtProps) {
  const zone = useZone()
  return (
    <>
      <InstantButton seconds={seconds} /> <span className="text-ink-3">{toZoneName(zone)}</span>
      {asOf !== undefined && (
        <span className="whitespace-nowrap text-ink-3"> · {formatRelative(seconds, asOf)}</span>
      )}
    </>
  )
}
