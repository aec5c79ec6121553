'use client'

import { useFormats } from '#components/format/use-formats.tsx'
import { useAsof } from '#components/time/zone.tsx'
import { toAgreementText } from '#components/users/agreement.ts'
import type { RatingDetail } from '#lib/contract/answers/ratings.ts'

/** How the community took it: votes for and against, how they are split, and comments. */
export function RatingVotes({ rating }: { rating: RatingDetail }) {
  const { tally_agree: agree, tally_disagree: disagree, tally_comment: comments } = rating
  const { formatCounted } = useFormats()
  const isRewound = useAsof() !== null
  const share = toAgreementText(agree, disagree)
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex flex-wrap gap-x-4">
        <Votes count={agree} word="agree" />
        <Votes count={disagree} word="disagree" />
        <Votes count={comments} word={comments === 1 ? 'comment' : 'comments'} />
        <span className="ml-auto text-ink-3">
          {share === null
            ? 'no votes'
            : `${share} agreement of ${formatCounted(agree + disagree, 'vote')}`}
          {isRewound && ', as last seen'}
        </span>
      </p>
      {share !== null && (
        <span aria-hidden className="flex h-1 gap-px overflow-hidden rounded-full">
          {agree > 0 && (
            <span
              className="rating-fill-4"
              style={{ width: `${(100 * agree) / (agree + disagree)}%` }}
            />
          )}
          {disagree > 0 && <span className="rating-fill-2 grow" />}
        </span>
      )}
    </div>
  )
}

function Votes({ count, word }: { count: number; word: string }) {
  const { formatCount } = useFormats()
  return (
    <span>
      <b className="font-semibold">{formatCount(count)}</b> {word}
    </span>
  )
}
