import { formatInstant, formatRelative } from '#components/format/instant.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { toExpiry } from './expiry.ts'

/** When a rating was created, to the minute; the second, how long ago and the epoch on hover. `asOf` is the answer's instant. */
export function CreatedAt({ seconds, asOf }: { seconds: number; asOf: number }) {
  const text = toDateText(seconds)
  return (
    <time
      dateTime={`${text.replace(' ', 'T')}Z`}
      title={`${text} UTC · ${formatRelative(seconds, asOf)} · ${seconds}`}
      className="text-ink-2"
    >
      {formatInstant(seconds)}
    </time>
  )
}

/** When a rating lapses, from `asOf`; in full on hover. */
export function ExpiresAt({ row, asOf }: { row: RatingRow; asOf: number }) {
  const { text, spoken, title } = toExpiry(row, asOf)
  return (
    <span title={title} className="text-ink-3">
      {spoken && <span className="sr-only">{spoken} </span>}
      {text}
    </span>
  )
}
