import { formatRelative, toZonedText, toZoneName } from '#components/format/instants.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'

/**
 * When a rating lapses: seen in the cell, heard before it (`spoken`). `at` is the instant that the text stands for
 * (seconds since 1970); where there is none, `title` says why.
 */
type Expiry = { text: string; spoken: string; at: number | null; title: string | null }

type Lapsing = Pick<RatingRow, 'expired_at' | 'state' | 'vanished_at'>
type Seen = { asOf: number; zone: string }

const toNamedTime = (seconds: number, zone: string) =>
  `${toZonedText(seconds, zone)} ${toZoneName(zone)}`

/**
 * When a rating lapses, from `asOf` (seconds since 1970). The member's next rating on the symbol ends it too, whatever
 * was foreseen: such a rating is expired although its time has not come. One that the service lists no more is gone.
 */
export function toExpiry(row: Lapsing, { asOf, zone }: Seen): Expiry {
  const { expired_at: at, state } = row
  const isReplaced = state === 'expired' && (at === null || at > asOf)
  const none = 'No expiry was given'
  const toForeseen = () => `Foreseen: ${at === null ? none : toNamedTime(at, zone)}`
  if (row.vanished_at !== null) {
    const spoken = `No longer listed by the service since ${toNamedTime(row.vanished_at, zone)}`
    return { text: 'gone', spoken, at: null, title: `${spoken}. ${toForeseen()}` }
  }
  if (isReplaced) {
    const title = `Replaced by the member's next rating. ${toForeseen()}`
    return { text: 'replaced', spoken: '', at: null, title }
  }
  if (at === null) return { text: '–', spoken: 'no expiry', at, title: none }
  const spoken = at > asOf ? 'expires' : 'expired'
  return { text: formatRelative(at, asOf), spoken, at, title: null }
}
