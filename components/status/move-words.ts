import type { Move } from '#lib/contract/answers/status.ts'

/** What a move of the sync is, for who never heard of it. */
export const MOVE_WORDS: Record<Move, { title: string; meaning: string }> = {
  bootstrap: {
    title: 'First filling',
    meaning: 'Everything the service has, into an empty archive.',
  },
  follow: { title: 'New ratings', meaning: 'The newest pages, until they meet what is here.' },
  reconcile: {
    title: 'Posts dump',
    meaning:
      'The week’s dump, compared with the archive: edits, votes, early expiries, what is gone.',
  },
  lookups: { title: 'Lookups dump', meaning: 'Kept for downloading.' },
  discover: { title: 'How it lists', meaning: 'How the service numbers and orders its pages.' },
}
