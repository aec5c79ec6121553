import type { HistoryItem, RatingAnswer } from '#lib/contract/answers/ratings.ts'

/** How a rating stands: in a word, and when that began or ends. Instants are seconds since 1970. */
export type Standing = {
  word: 'Active' | 'Expired' | 'Replaced' | 'No longer listed' | 'Not posted yet'
  /** Why, or until when: stands between the word and the instant. */
  text: string
  at: number | null
  /** The member's rating that took its place. */
  by: HistoryItem | null
  /** When it would have expired, where it was replaced before. */
  foreseen: number | null
}

/** How a rating stood at the instant of its answer. */
export function toStanding({ data, history }: RatingAnswer): Standing {
  const until = data.effective_until
  const known = { at: until, by: null, foreseen: null }
  if (data.state === null)
    return { ...known, word: 'Not posted yet', text: 'until', at: data.created_at }
  if (data.state === 'active') {
    const text = until === null ? 'with no end: no expiry was given' : 'until'
    return { ...known, word: 'Active', text }
  }
  const by = selectNext({ data, history })
  // An expiry of 0 is none.
  const expiry = data.expired_at || null
  if (by !== null && by.created_at === until && (expiry === null || expiry > until)) {
    const text = until === data.created_at ? 'in the second of its posting,' : 'on'
    return { word: 'Replaced', text, at: until, by, foreseen: expiry }
  }
  if (data.vanished_at !== null && data.vanished_at === until && expiry !== until) {
    return { ...known, word: 'No longer listed', text: 'by the service since' }
  }
  const isBeforehand = until !== null && until <= data.created_at
  return { ...known, word: 'Expired', text: isBeforehand ? 'before it was posted, on' : 'on' }
}

/** The member's rating of the symbol before this one, and the one after it. */
export const selectPrevious = (answer: Pick<RatingAnswer, 'data' | 'history'>) =>
  selectBeside(answer, -1)

export const selectNext = (answer: Pick<RatingAnswer, 'data' | 'history'>) =>
  selectBeside(answer, 1)

function selectBeside(
  { data, history }: Pick<RatingAnswer, 'data' | 'history'>,
  step: 1 | -1,
): HistoryItem | null {
  const place = history.ratings.findIndex(({ id }) => id === data.id)
  return place < 0 ? null : (history.ratings[place + step] ?? null)
}
