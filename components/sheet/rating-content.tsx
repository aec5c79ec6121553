import type { RatingAnswer } from '#lib/contract/answers/ratings.ts'
import type { Outlook } from '#lib/contract/outlook.ts'
import { RatingFields } from './rating-fields.tsx'
import { RatingHeadline } from './rating-headline.tsx'
import { RatingHistory } from './rating-history.tsx'
import type { ShowRating } from './rating-link.tsx'
import { RatingQuality } from './rating-quality.tsx'
import { RatingStanding } from './rating-standing.tsx'
import { RatingVotes } from './rating-votes.tsx'
import { RawJson } from './raw-json.tsx'

type RatingContentProps = {
  answer: RatingAnswer
  outlook: Outlook
  /** Shows another rating in place of this one; left out, links lead to its page. */
  show?: ShowRating
}

/** All that is known of a rating, below each other: what the side sheet holds. */
export function RatingContent({ answer, outlook, show }: RatingContentProps) {
  const { data } = answer
  return (
    <div className="flex flex-col gap-3">
      <RatingHeadline answer={answer} as="h2" />
      <RatingStanding answer={answer} outlook={outlook} show={show} />
      <RatingQuality answer={answer} outlook={outlook} />
      <RatingVotes rating={data} />
      <RatingHistory key={data.id} answer={answer} outlook={outlook} show={show} heading="h3" />
      <RatingFields rating={data} heading="h3" />
      <RawJson rating={data} asof={outlook.asof} />
    </div>
  )
}
