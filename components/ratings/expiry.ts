import { formatInstant, formatRelative } from '#components/format/instant.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'

/** When a rating lapses: seen in the cell, heard before it (`spoken`), and in full on hover. */
type Expiry = { text: string; spoken: string; title: string }

type Lapsing = Pick<RatingRow, 'expired_at' | 'state'>

/**
 * When a rating lapses, from `asOf` (seconds since 1970). The member's next rating on the symbol ends it too, whatever
 * was foreseen: such a rating is expired although its time has not come.
 */
export function toExpiry({ expired_at: at, state }: Lapsing, asOf: number): Expiry {
  const isReplaced = state === 'expired' && (at === null || at > asOf)
  const foreseen = at === null ? 'No expiry was given' : `${formatInstant(at)} UTC`
  if (isReplaced) {
    const title = `Replaced by the member's next rating. Foreseen: ${foreseen}`
    return { text: 'replaced', spoken: '', title }
  }
  if (at === null) return { text: '–', spoken: 'no expiry', title: foreseen }
  const spoken = at > asOf ? 'expires' : 'expired'
  return { text: formatRelative(at, asOf), spoken, title: `${foreseen} · ${at}` }
}
