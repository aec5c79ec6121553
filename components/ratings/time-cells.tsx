import { useZone } from '#components/address/outlook.tsx'
import { Instant } from '#components/time/instant.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toExpiry } from './expiry.ts'

/** When a rating was created, to the minute, in the page's zone; every other form on hover. */
export const CreatedAt = ({ seconds }: { seconds: number }) => (
  <Instant seconds={seconds} className="text-ink-2" />
)

/** When a rating lapses, from `asOf`: the answer's instant. A struck ring is before it where the service has dropped it. */
export function ExpiresAt({ row, asOf }: { row: RatingRow; asOf: number }) {
  const { text, spoken, at, title } = toExpiry(row, { asOf, zone: useZone() })
  return (
    <span title={title ?? undefined} className="text-ink-3">
      {row.vanished_at !== null && <span aria-hidden>⊘ </span>}
      {spoken && <span className="sr-only">{spoken} </span>}
      {at === null ? text : <Instant seconds={at}>{text}</Instant>}
    </span>
  )
}
