import type { Ended, RatingRow } from '#lib/contract/answers/ratings.ts'

export type Standing = Pick<RatingRow, 'state' | 'ended'>

/** What ended a rating, in a word that is the same wherever it stands: the first of what could have. */
export const END_WORDS: Readonly<Record<NonNullable<Ended>, string>> = {
  expired: 'expired',
  vanished: 'unlisted',
  renewed: 'replaced',
}

/** How a rating stands, in a word. Without a state it lies in the future. */
export const toStateWord = ({ state, ended }: Standing): string =>
  ended === null ? (state ?? 'not yet') : END_WORDS[ended]
