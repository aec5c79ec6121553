'use client'

import { toZonedDay } from '#components/format/zoned.ts'
import { ZonedDay } from '#components/time/instant.tsx'
import { useZone } from '#components/time/zone.tsx'
import { useZonedHref } from '#components/time/zoned-link.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { toAsofParameter } from '#lib/contract/instant-text.ts'

type NotYetRatedProps = { userId: number; asof: number; first: number }

/** The page stands before the member's first rating: says so, and leads there. Both in seconds since 1970. */
export function NotYetRated({ userId, asof, first }: NotYetRatedProps) {
  const zoned = useZonedHref()
  const zone = useZone()
  return (
    <div className="rounded-lg border bg-surface">
      <EmptyState
        action={
          <ButtonLink href={zoned(`/users/${userId}?asof=${toAsofParameter(first)}`)}>
            Go to when they began
          </ButtonLink>
        }
        title={`User ${userId} had not rated by ${toZonedDay(asof, zone)}`}
      >
        The first rating came on <ZonedDay seconds={first} />.
      </EmptyState>
    </div>
  )
}
